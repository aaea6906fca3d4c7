// The interface for a game's page.js: elements, the game's sentences, and the state of the table.
//
// `mark` hides a sign from screen readers, `hush` shows words to screen readers only.
// A page.js exports its drawings, each of them optional (docs/reference/game-package.md): `board(state)`,
// `score(state, who)`, `total(state)`, `note(state)`, `secret(options)` and `cards`; `hand(secret, state)`,
// the secret of one player, and `own()`, its name; for a question `beside(ask, state, typed)`, the part
// between the question and its answers, and `send(ask)`, the label of *Send*.

import { answerable, model, taken } from './model.js';

export { h, hush, mark, s } from './tree.js';
export { called, seat } from './model.js';

export const players = () => model.hello.players;

// Return a sentence of the game's catalogue, by the part of its key after `<game>.web.`.
export const words = (key, facts = {}) =>
  (model.hello.drawing?.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

// Return this phone's possible answers, if one of these questions is asked. A touched element with the
// attributes from `answers(value)` gives that answer.
export const offered = (...questions) => {
  const ask = answerable();
  return ask && questions.includes(ask.question) ? ask.choices.map((one) => one.value) : [];
};

// Return the answers so far of the form in progress.
export const given = () => answerable()?.given ?? {};

// Return attributes of an element that types letters when it is touched.
export const types = (letters) => ({ 'data-do': 'type', 'data-value': letters });

export const answers = (value) => ({ 'data-do': 'answer', 'data-value': JSON.stringify(value), 'data-id': answerable()?.id, ...taken(answerable()) });
