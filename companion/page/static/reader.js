// What a keyboard and a screen reader need: focus that is never lost, and one live region in which
// each thing is said once, however the page is drawn.

import { h } from './tree.js';

const STAYS = 8000;  // milliseconds in which a screen reader has fetched a sentence
const log = document.getElementById('log');
const LANDING = '#asked, #question, h1';

// Says sentences; a function that takes them away before their time, for a secret that is covered.
export function say(...sentences) {
  const lines = sentences.map((one) => h('p', {}, one));
  log.append(...lines);
  const unsay = () => lines.forEach((line) => line.remove());
  setTimeout(unsay, STAYS);
  return unsay;
}

const again = (main, { dataset }) => dataset.key && main.querySelector(`[data-key="${CSS.escape(dataset.key)}"]`);

// Changes what stands in `main`; whether focus has come to the question. It stays where it was, or
// goes to `wanted`; where what had it is gone, to the same in another place, or to the question that
// stands. `touched` is what was pressed last: not every phone gives that the focus.
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
let since = [];  // what was told since the last question

// Says what is new: what has happened, then the question, unless focus has just come to it.
export function announce(told, arrived) {
  const question = standing();
  const lines = [...told];
  if (warning() && warning() !== warned) lines.push(warning());
  since.push(...lines);
  if (question && question.dataset.id !== asked) {
    const text = [...question.children].map((one) => one.textContent).join('. ');
    if (!arrived && !since.includes(text)) lines.push(text);  // who has won was told before
    since = [];
  }
  [asked, warned] = [question?.dataset.id, warning()];
  if (lines.length) say(...lines);
}
