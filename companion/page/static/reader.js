// Support for keyboards and screen readers: the focus, and the live region that announces events.

import { h } from './tree.js';

const STAYS = 8000;  // milliseconds for which a sentence stays in the live region
const log = document.getElementById('log');
const LANDING = '#asked, #question, h1';

// Announce sentences in the live region. Return a function that removes the sentences early.
export function say(...sentences) {
  const lines = sentences.map((one) => h('p', {}, one));
  log.append(...lines);
  const unsay = () => lines.forEach((line) => line.remove());
  setTimeout(unsay, STAYS);
  return unsay;
}

const again = (main, { dataset }) => dataset.key && main.querySelector(`[data-key="${CSS.escape(dataset.key)}"]`);

// Update `main` by calling `change`. Return true if the focus has moved to the question. If the focused
// element is removed, focus the element with an equal key, or else the pending question. `wanted`: the
// selector of an element to focus. `touched`: the last pressed element, which some phones do not focus.
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
let since = [];  // sentences that were announced since the last question

// Announce the new events and the new question. `arrived`: true if the focus has moved to the question,
// so that the screen reader reads the question anyway.
export function announce(told, arrived) {
  const question = standing();
  const lines = [...told];
  if (warning() && warning() !== warned) lines.push(warning());
  since.push(...lines);
  if (question && question.dataset.id !== asked) {
    const text = [...question.children].map((one) => one.textContent).join('. ');
    if (!arrived && !since.includes(text)) lines.push(text);  // an event may already have announced the winner
    since = [];
  }
  [asked, warned] = [question?.dataset.id, warning()];
  if (lines.length) say(...lines);
}
