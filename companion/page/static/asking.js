// The controls for questions: choices, a number or a word. All answers and texts come from the box.

import { areCards, beside, send as costs } from './drawing.js';
import { h, hush, mark } from './tree.js';
import { isOwnUndo, looks, model, own, taken, words } from './model.js';

const FEW = 4;
const SMALL = 3;
const LISTED = 24;  // maximum number of choices with a button each; more numbers get a text field
const UNSEEN = '_';  // placeholder for a covered letter in the box's messages

const value = (one) => JSON.stringify(one.value);

// Return the answers that the player can touch in the game's drawing.
export const within = (...drawn) => new Set(drawn.flat(9).filter((one) => one?.querySelectorAll).flatMap((one) =>
  [...one.querySelectorAll('[data-do="answer"]')].map((each) => each.dataset.value)));

// Return the buttons of a question's choices. Choices that the player can touch in a drawing get a list
// that only keyboards and screen readers reach.
function choices(ask, stands, touched) {
  const [drawn, others] = [[], []];
  const another = stands && isOwnUndo();
  for (const one of ask.choices) if (!another || one.value !== 'yes') (touched.has(value(one)) ? drawn : others).push(one);
  return [
    another ? h('p', {}, words('another')) : null,
    drawn.length ? h('p', { class: 'tag', 'aria-hidden': 'true' }, words('touch')) : null,
    others.length ? answers(ask, stands, others) : null,
    drawn.length ? h('div', { class: 'aside', 'data-key': 'aside' }, answers(ask, stands, drawn)) : null,
  ];
}

function answers(ask, stands, list) {
  const small = list.length > FEW && list.every((one) => one.label.length <= SMALL);
  const style = areCards(ask.question) ? ' cards small' : small ? ' small' : list.length <= FEW ? ' few' : '';
  return h('div', { class: `answers${style}`, role: 'group', 'aria-labelledby': stands ? 'sentence' : 'asked' }, list.map((one) =>
    h('button', { 'data-do': 'answer', 'data-value': value(one), 'data-id': ask.id, 'data-key': `${ask.id} ${value(one)}`, ...taken(ask) },
      one.label)));
}

const send = (ask, disabled = false) => h('button', { class: 'strong', ...taken(ask, disabled) }, costs(ask) ?? ask.ok);

function number(ask) {
  const { from, to } = ask.number;
  const likely = ask.choices[ask.likely]?.value ?? Math.min(to, Math.max(from, 0));
  return h('form', { class: 'row', 'data-form': 'number', 'data-id': ask.id, 'data-key': `number${ask.id}` },
    h('input', { type: 'number', name: 'value', class: 'grow', min: from, max: to, value: likely, required: true, 'aria-label': ask.sentence }),
    send(ask));
}

function sample(ask) {
  return h('div', { class: 'answers few' },
    h('button', { class: 'strong', 'data-do': 'answer', 'data-value': value(ask.choices[0]), 'data-id': ask.id, ...taken(ask) }, ask.ok));
}

// Return true if the box has found a mistake in the typed word.
export const isFlawed = () => Boolean(own.typed && own.checked?.flaw && own.checked.word === own.typed);

// Return an element that shows whether the word lists have the typed word.
function verdict() {
  const found = own.checked;
  const said = !own.typed || !found ? '' : found.flaw ? found.flaw : found.known === false ? words('doubt')
    : found.known ? words('in_list') : words('unknown');
  return h('p', { id: 'verdict', class: `verdict ${found?.flaw ? 'bad' : found?.known ? 'good' : ''}`, role: 'status' }, said);
}

function spelt() {
  return h('p', {}, h('label', { for: 'spelt' }, words('spelt_in'), ' '),
    h('select', { id: 'spelt', 'data-lang': '1' }, Object.entries(model.languages).map(([lang, name]) =>
      h('option', { value: lang, lang, selected: lang === own.lang }, name))));
}

// Return the whole word: the open letters, and the typed letters at the covered places.
export const whole = (ask) => {
  const rest = [...restOf(ask)];
  return ask.spell.open.replaceAll(UNSEEN, () => rest.shift() ?? UNSEEN);
};

const restOf = (ask) => (own.rest.of === ask.spell.open ? own.rest.text : '');

// Return a form in which the player types the covered letters of a word.
function guess(ask) {
  const missing = [...ask.spell.open].filter((one) => one === UNSEEN).length;
  const known = whole(ask);
  return [drawnBeside(ask, known) ?? h('p', { class: 'covered' }, [...known].join(' ')),
    h('form', { 'data-form': 'rest', 'data-id': ask.id, 'data-key': `rest${ask.spell.open}` },
      h('input', { type: 'text', name: 'value', class: 'grow', autocomplete: 'off', autocapitalize: 'characters', autocorrect: 'off',
        spellcheck: 'false', maxlength: missing, required: true, enterkeyhint: 'send', value: restOf(ask), 'data-rest': ask.spell.open,
        'aria-label': words('type_rest') }),
      send(ask, known.includes(UNSEEN)))];
}

const drawnBeside = (ask, typed) => {
  const drawn = beside(ask, model.state, typed);
  return drawn && h('div', { class: 'beside', 'data-key': `beside${ask.id}` }, drawn);
};

function word(ask, stands) {
  if (ask.spell.open) return guess(ask);
  return h('form', { class: stands ? '' : 'row', 'data-form': 'word', 'data-id': ask.id, 'data-key': `word${ask.id}` },
    h('div', { class: 'row typed' },  // put the field above the drawing, so that a small screen shows both elements
      h('input', { type: 'text', name: 'value', class: 'grow', autocomplete: 'off', autocapitalize: 'characters', autocorrect: 'off',
        spellcheck: 'false', maxlength: ask.spell.longest, required: true, enterkeyhint: 'send', 'data-check': stands,
        'aria-label': words('type_word'), 'aria-describedby': stands ? 'verdict' : false }),
      send(ask, stands && isFlawed())),
    stands ? [verdict(), drawnBeside(ask, own.typed), spelt()] : null);
}

// Return the controls of a question. `stands`: true if the box asks the whole table, false if it asks
// only this phone. `touched`: the answers that the player can touch in a drawing.
export function answering(ask, stands, touched = new Set()) {
  if (ask.kept) return h('p', { class: 'covered' }, words('kept'));
  if (ask.hidden) return h('p', { class: 'covered' }, mark('• • •'), hush(words('covered')));
  if (ask.spell) return word(ask, stands);
  if (ask.number && ask.choices.length > LISTED) return number(ask);
  if (ask.free && ask.choices.length === 1) return sample(ask);
  if (stands && ask.private && !looks()) return h('p', { class: 'covered' }, mark('▒ ▒ ▒   '), words('covered'));
  return [drawnBeside(ask, ''), choices(ask, stands, touched), ask.free ? number(ask) : null];  // a text field accepts the numbers that have no button
}

// Return the question that the box asks only this phone: a form's next question or a confirmation.
export function panel(touched) {
  const ask = own.asked;
  if (!ask) return null;
  const form = model.offers?.forms.find((one) => one.form === ask.form);
  return h('section', { class: 'card mine', role: 'dialog', 'aria-modal': 'false', 'aria-labelledby': form ? 'form' : 'asked', 'data-key': 'asked' },
    form ? h('h2', { id: 'form' }, form.text) : null,
    h('p', { class: 'question', id: 'asked', role: 'heading', 'aria-level': form ? 3 : 2, tabindex: -1 }, ask.sentence),
    answering(ask, false, touched),
    own.error ? h('p', { class: 'verdict bad', role: 'alert', 'data-key': 'wrong' }, own.error) : null,
    h('div', { class: 'row' },
      ask.back ? h('button', { class: 'quiet', 'data-do': 'back' }, words('back')) : null,
      h('button', { class: 'quiet', 'data-do': 'drop' }, words('cancel'))));
}

export const offered = () => (model.me && model.state && model.offers?.forms) || [];
