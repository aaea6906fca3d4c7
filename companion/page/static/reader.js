// Keyboards and screen readers: the focus is never lost, and one live region announces each event once,
// however often the page is drawn.

import { h } from './tree.js';

const STAYS = 8000;  // time (ms) within which a screen reader has read a sentence
const log = document.getElementById('log');
const LANDING = '#asked, #question, h1';

// Announce sentences. Return a function that removes them early, for a secret that is covered.
export function say(...sentences) {
  const lines = sentences.map((one) => h('p', {}, one));
  log.append(...lines);
  const unsay = () => lines.forEach((line) => line.remove());
  setTimeout(unsay, STAYS);
  return unsay;
}

const again = (main, { dataset }) => dataset.key && main.querySelector(`[data-key="${CSS.escape(dataset.key)}"]`);

// Update `main`. Return True if the focus has moved to the question. The focus stays, or goes to
// `wanted`. If its element is gone, it goes to the element with its key elsewhere, or to the pending
// question. `touched`: the element pressed last, as not every phone focuses it.
export function keepFocus(main, change, wanted, touched) {
  const focused = document.activeElement;
  const nowhere = focused === document.body;
  const before = nowhere ? touched : focused;
  const inside = Boolean(before && main.contains(before));
  const scrolls = focused.matches(':focus-visible');
  change();
  let target = wanted && main.querySelector(wanted);
  if (!target && inside) target = before.isConnected ? !nowhere && before : again(main, before) ?? main.querySelector(LANDING);
  if (!target || target === document.activeElement) return false;
  target.focus({ preventScroll: !scrolls });
  return target.id === 'question';
}

const standing = () => document.getElementById('question');
const warning = () => document.querySelector('.banner')?.textContent ?? '';
let asked = null;
let warned = '';
let since = [];  // sentences announced since the last question

// Announce the new events, then the question, unless the focus has just moved to it.
export function announce(told, arrived) {
  const question = standing();
  const lines = [...told];
  if (warning() && warning() !== warned) lines.push(warning());
  since.push(...lines);
  if (question && question.dataset.id !== asked) {
    const text = [...question.children].map((one) => one.textContent).join('. ');
    if (!arrived && !since.includes(text)) lines.push(text);  // the winner was announced before
    since = [];
  }
  [asked, warned] = [question?.dataset.id, warning()];
  if (lines.length) say(...lines);
}
