// The sound at a player's turn, which each phone can switch off, and a lock that keeps the screen lit
// where the browser has one.

const SWITCH = 'turn_sound';
const NOTES = [[784, 0], [1047, 0.07]];  // frequency (Hz) and start (s) of each note: a fourth up, as on the box
const LASTS = 0.3;
let context = null;

const stored = () => { try { return localStorage.getItem(SWITCH); } catch { return null; } };
export const sounds = () => stored() !== 'off';

export function turnSound() {
  try { localStorage.setItem(SWITCH, sounds() ? 'off' : 'on'); } catch { /* a browser that stores nothing */ }
}

// A browser allows sound after the first touch.
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

// Return True if the browser has a screen lock: over https, or on the machine itself.
export const mayStayLit = () => isSecureContext && 'wakeLock' in navigator;

// Lock the screen whenever the page is visible: a browser ends the lock of a hidden page.
export async function stayLit() {
  if (!mayStayLit() || document.hidden) return;
  try { await navigator.wakeLock.request('screen'); } catch { /* the battery is low */ }
}
