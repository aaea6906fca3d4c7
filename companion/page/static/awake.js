// What makes a player look up, and keeps a screen lit: a soft sound at the own turn, which each phone
// can switch off, and a lock against sleep where the browser gives one.

const SWITCH = 'turn_sound';
const NOTES = [[784, 0], [1047, 0.07]];  // hertz, and when: a step up, as the box has it
const LASTS = 0.3;
let context = null;

const stored = () => { try { return localStorage.getItem(SWITCH); } catch { return null; } };
export const sounds = () => stored() !== 'off';

export function turnSound() {
  try { localStorage.setItem(SWITCH, sounds() ? 'off' : 'on'); } catch { /* a browser that stores nothing */ }
}

// A browser lets a page sound from the first touch on.
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

// Whether the browser lets a page keep its screen lit: over https, or on the machine itself.
export const mayStayLit = () => isSecureContext && 'wakeLock' in navigator;

// Keep the screen lit whenever the page is seen: a browser ends the lock when it is not.
export async function stayLit() {
  if (!mayStayLit() || document.hidden) return;
  try { await navigator.wakeLock.request('screen'); } catch { /* the battery is low */ }
}
