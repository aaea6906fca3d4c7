// What is asked, of the table or of this phone alone: some answers, a number or a word. What may be
// answered, and every word of it, comes from the box.

import { areCards } from './drawing.js';
import { h, hush, mark } from './tree.js';
import { model, own, words } from './model.js';

const FEW = 4;
const SMALL = 3;
const LISTED = 24;  // more numbers are typed

const value = (one) => JSON.stringify(one.value);

function choices(ask, stands) {
  const list = ask.choices;
  const small = list.length > FEW && list.every((one) => one.label.length <= SMALL);
  const style = areCards(ask.question) ? ' cards small' : small ? ' small' : list.length <= FEW ? ' few' : '';
  return h('div', { class: `answers${style}`, role: 'group', 'aria-labelledby': stands ? 'sentence' : 'asked' }, list.map((one) =>
    h('button', { 'data-do': 'answer', 'data-value': value(one), 'data-id': ask.id, 'data-key': `${ask.id} ${value(one)}`, 'aria-disabled': own.busy && 'true' },
      one.label)));
}

const send = (ask, disabled = false) => h('button', { class: 'strong', 'aria-disabled': (own.busy || disabled) && 'true' }, ask.ok);

function number(ask) {
  const { from, to } = ask.number;
  const likely = ask.choices[ask.likely]?.value ?? Math.min(to, Math.max(from, 0));
  return h('form', { class: 'row', 'data-form': 'number', 'data-id': ask.id, 'data-key': `number${ask.id}` },
    h('input', { type: 'number', name: 'value', class: 'grow', min: from, max: to, value: likely, required: true, 'aria-label': ask.sentence }),
    send(ask));
}

function sample(ask) {
  return h('div', { class: 'answers few' },
    h('button', { class: 'strong', 'data-do': 'answer', 'data-value': value(ask.choices[0]), 'data-id': ask.id, 'aria-disabled': own.busy && 'true' }, ask.ok));
}

// Whether the box has a mistake to name in the word as it stands now.
export const isFlawed = () => Boolean(own.typed && own.checked?.flaw && own.checked.word === own.typed);

// What the box's lists say of a word while it is typed; only of the question of the table.
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

function word(ask, stands) {
  const seen = ask.spell.open;
  const form = h('form', { class: stands ? '' : 'row', 'data-form': 'word', 'data-id': ask.id, 'data-key': `word${ask.id}` },
    h('input', { type: 'text', name: 'value', class: 'grow', autocomplete: 'off', autocapitalize: 'characters', autocorrect: 'off',
      spellcheck: 'false', maxlength: ask.spell.longest, required: true, enterkeyhint: 'send', 'data-check': stands,
      'aria-label': words('type_word'), 'aria-describedby': stands ? 'verdict' : false }),
    stands ? verdict() : null, stands ? spelt() : null,
    send(ask, stands && isFlawed()));
  return [seen ? h('p', { class: 'covered' }, [...seen].join(' ')) : null, form];
}

// How a question is answered here. `stands`: it is the table's, and not of this phone alone.
export function answering(ask, stands) {
  if (ask.kept) return h('p', { class: 'covered' }, words('kept'));
  if (ask.hidden) return h('p', { class: 'covered' }, mark('• • •'), hush(words('covered')));
  if (ask.spell) return word(ask, stands);
  if (ask.number && ask.choices.length > LISTED) return number(ask);
  if (ask.free && ask.choices.length === 1) return sample(ask);
  if (stands && ask.private && !own.open) return h('p', { class: 'covered' }, mark('▒ ▒ ▒   '), words('covered'));
  return [choices(ask, stands), ask.free ? number(ask) : null];  // of these numbers others will do, too
}

// What this phone alone is asked: the next question of a form, or whether an answer is meant.
export function panel() {
  const ask = own.asked;
  if (!ask) return null;
  const form = model.offers?.forms.find((one) => one.form === ask.form);
  return h('section', { class: 'card mine', role: 'dialog', 'aria-modal': 'false', 'aria-labelledby': form ? 'form' : 'asked', 'data-key': 'asked' },
    form ? h('h2', { id: 'form' }, form.text) : null,
    h('p', { class: 'question', id: 'asked', role: 'heading', 'aria-level': form ? 3 : 2, tabindex: -1 }, ask.sentence),
    answering(ask, false),
    own.error ? h('p', { class: 'verdict bad', role: 'alert', 'data-key': 'wrong' }, own.error) : null,
    h('div', { class: 'row' },
      ask.back ? h('button', { class: 'quiet', 'data-do': 'back' }, words('back')) : null,
      h('button', { class: 'quiet', 'data-do': 'drop' }, words('close'))));
}

export const offered = () => (model.me && model.state && model.offers?.forms) || [];
