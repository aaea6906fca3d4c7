// The sound at the start of a player's turn, and the lock that keeps the phone's screen lit.

const SWITCH = 'turn_sound';
const NOTES = [[784, 0], [1047, 0.07]];  // frequency (Hz) and start (s) of each note
const LASTS = 0.3;
let context = null;

const stored = () => { try { return localStorage.getItem(SWITCH); } catch { return null; } };
export const sounds = () => stored() !== 'off';

export function turnSound() {
  try { localStorage.setItem(SWITCH, sounds() ? 'off' : 'on'); } catch { /* the browser stores no data */ }
}

// Prepare the sound at the player's first touch, because browsers allow no sound earlier.
export function touched() {
  context ??= globalThis.AudioContext ? new AudioContext() : null;
  context?.resume();
}

export function sound() {
  if (!context || !sounds()) return;
  NOTES.forEach(([hertz, after]) => {
    const [from, voice, level] = [context.currentTime + after, context.createOscillator(), context.createGain()];
    voice.frequency.value = hertz;
    level.gain.setValueAtTime(0.12, from);
    level.gain.exponentialRampToValueAtTime(0.001, from + LASTS);
    voice.connect(level).connect(context.destination);
    voice.start(from);
    voice.stop(from + LASTS);
  });
}

// Return true if the browser can keep the screen lit. Browsers allow a lit screen only with HTTPS or on localhost.
export const mayStayLit = () => isSecureContext && 'wakeLock' in navigator;

// Keep the screen lit. Call this function each time the page becomes visible, because hiding the page
// ends the lock.
export async function stayLit() {
  if (!mayStayLit() || document.hidden) return;
  try { await navigator.wakeLock.request('screen'); } catch { /* the phone refuses, for example with a low battery */ }
}
