// What a game's own page.js may use: elements, its sentences, and what stands at the table.
//
// A drawing is for eyes: `mark` hides a sign from screen readers, `hush` hides words from everybody else.
// It exports what it draws, and may leave out any of it (docs/reference/game-package.md): `board(state)`,
// `score(state, who)`, `total(state)`, `note(state)`, `secret(options)` and `cards`; `hand(secret, state)`,
// what one player alone may know, and `own()`, what that is called; and of a question `beside(ask, state,
// typed)`, what stands between it and its answers, and `send(ask)`, what is written on *Send*.

import { answerable, model, taken } from './model.js';

export { h, hush, mark, s } from './tree.js';
export { called, seat } from './model.js';

export const players = () => model.hello.players;

// A sentence of the game's own catalogue, by what follows `<game>.web.` in its key.
export const words = (key, facts = {}) =>
  (model.hello.drawing?.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

// What this phone may answer now, if one of these questions is asked. An element with
// what `answers` gives as attributes answers with that value when it is touched.
export const offered = (...questions) => {
  const ask = answerable();
  return ask && questions.includes(ask.question) ? ask.choices.map((one) => one.value) : [];
};

// What was answered so far of the form that is being filled.
export const given = () => answerable()?.given ?? {};

// An element with these attributes puts letters where they are typed.
export const types = (letters) => ({ 'data-do': 'type', 'data-value': letters });

export const answers = (value) => ({ 'data-do': 'answer', 'data-value': JSON.stringify(value), 'data-id': answerable()?.id, ...taken(answerable()) });
