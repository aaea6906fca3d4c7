// The interface for a game's page.js: elements, the game's sentences, and the state of the table.
//
// A page.js exports its drawings. All exports are optional (docs/reference/game-package.md):
// - `board(state)`, `score(state, who)`, `total(state)`, `note(state)`: parts of the public page.
// - `secret(options)`: returns true if the players have secrets.
// - `hand(secrets, state)`: the drawing of a player's secrets. `own()`: the title of this drawing.
// - `beside(ask, state, typed)`: the drawing between a question and its answers.
// - `send(ask)`: the label of the *Send* button.
// - `cards`: names of the questions whose answers are cards.

import { answerable, model, taken } from './model.js';

export { h, hush, mark, s } from './tree.js';
export { called, seat } from './model.js';

export const players = () => model.hello.players;

// Return the sentence with the key `<game>.web.<key>` of the game's catalogue.
export const words = (key, facts = {}) =>
  (model.hello.drawing?.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

// Return the answers that this phone's player can give if the pending question is one of `questions`,
// else an empty list.
export const offered = (...questions) => {
  const ask = answerable();
  return ask && questions.includes(ask.question) ? ask.choices.map((one) => one.value) : [];
};

// Return the answers that the player has given to the open form so far.
export const given = () => answerable()?.given ?? {};

// Return the attributes of an element that types `letters` when the player touches the element.
export const types = (letters) => ({ 'data-do': 'type', 'data-value': letters });

// Return the attributes of an element that gives the answer `value` when the player touches the element.
export const answers = (value) => ({ 'data-do': 'answer', 'data-value': JSON.stringify(value), 'data-id': answerable()?.id, ...taken(answerable()) });
