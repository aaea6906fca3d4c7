// What may be said out of turn: an interruption, a correction, a word that is misspelled. Each is a
// row of questions, asked one after another; what is sent is all of their answers.

import { h } from './tree.js';
import { called, model, own, words } from './model.js';

const players = () => model.hello.players.map((who) => [who, who]);
const racks = (who) => Object.keys(model.state.racks)
  .filter((rack) => !who || rack.split(':')[0] === who).map((rack) => [rack, called(rack)]);
const others = () => players().filter(([who]) => who !== model.me);
const spaces = () => Object.keys(model.state.spaces).map((id) => [id, called(id)]);
const named = (...keys) => keys.map((key) => [key, words(`what_${key}`)]);

const PROBE = {
  interrupt: (given) => {
    if (!given.whom) return { name: 'whom', options: others() };
    if (!given.rack && racks(given.whom).length > 1) return { name: 'rack', options: racks(given.whom) };
    if (model.hello.options.words === 'secret') return 'guess' in given ? null : { name: 'guess', word: true };
    return 'right' in given ? null : { name: 'right', options: [[true, words('right')], [false, words('wrong')]] };
  },
  correct: (given) => {
    if (!given.who) return { name: 'who', options: players() };
    return 'points' in given ? null : { name: 'points', number: [-500, 500, 5] };
  },
  misspelled: (given) => ('rack' in given ? null : { name: 'rack', options: racks() }),
  stop: (given) => ('stop' in given ? null : { name: 'stop', options: [[true, words('form_stop')]] }),
};

const BARETTA = {
  correct: (given) => {
    if (!given.what) {
      const own_deck = model.hello.options.deck === 'own';
      return { name: 'what', options: named('baretta', 'turn', 'out', 'in', ...(own_deck ? ['card', 'pile'] : [])) };
    }
    if (['baretta', 'card'].includes(given.what) && !given.space) return { name: 'space', options: spaces() };
    if (['turn', 'out', 'in', 'pile'].includes(given.what) && !given.who) return { name: 'who', options: players() };
    if (given.what === 'card' && !given.lies) {
      const marked = model.hello.players.map((who) => [`marker:${who}`, words('marker', { who })]);
      return { name: 'lies', options: [['empty', words('empty')], ['down', words('down')], ...marked] };
    }
    return given.what === 'pile' && !('n' in given) ? { name: 'n', number: [0, 12, 1] } : null;
  },
};

const STANDS = { word: false, length: false };

// The names of what may be said now.
export function forms() {
  const { game } = model.hello;
  if (!model.me || !model.state) return [];
  if (game === 'probe' && STANDS[model.ask?.question] !== false) {
    const always = ['correct', 'misspelled'];
    return model.ask ? ['interrupt', ...always, 'stop'] : always;
  }
  if (game === 'baretta' && ['roll', 'move_to'].includes(model.ask?.question)) return ['correct'];
  return [];
}

const next = (form) => (model.hello.game === 'probe' ? PROBE : BARETTA)[form.name](form.given);

// The line that says it at the door, once nothing is missing; null before.
export function finished(form) {
  if (next(form)) return null;
  const { name, given } = form;
  if (name === 'interrupt') return { interrupt: { who: model.me, ...given } };
  if (name === 'correct') return { interrupt: { correct: given } };
  if (name === 'misspelled') return { interrupt: { misspelled: given.rack } };
  return { interrupt: { stop: true } };
}

function field(step) {
  if (step.word) {
    return h('form', { class: 'row', 'data-form': 'form' },
      h('input', { type: 'text', name: 'value', class: 'grow', 'aria-label': words('guess'), autocomplete: 'off',
        autocapitalize: 'characters', autocorrect: 'off', spellcheck: 'false', maxlength: 12, 'data-key': 'guess' }),
      h('button', { class: 'strong' }, words('send')));
  }
  const [min, max, by] = step.number;
  return h('form', { class: 'row', 'data-form': 'form' },
    h('input', { type: 'number', name: 'value', class: 'grow', min, max, step: by, value: 0, 'data-key': step.name,
      'aria-label': words(`form_${step.name}`) }),
    h('button', { class: 'strong' }, words('send')));
}

export function panel() {
  const form = own.form;
  const step = form && next(form);
  if (!step) return null;
  return h('section', { class: 'card mine', role: 'dialog', 'aria-modal': 'false', 'aria-labelledby': 'form-title', 'data-key': 'form' },
    h('h2', { id: 'form-title' }, words(`form_${form.name}`)),
    h('p', { class: 'question' }, words(`form_${step.name}`)),
    step.options
      ? h('div', { class: `answers${step.options.length > 12 ? ' small' : ''}` }, step.options.map(([value, label]) =>
        h('button', { 'data-do': 'fill', 'data-value': JSON.stringify(value), 'data-key': `${step.name}${value}` }, label)))
      : field(step),
    h('button', { class: 'quiet', 'data-do': 'drop' }, words('close')));
}

export const fill = (form, value) => ({ ...form, given: { ...form.given, [next(form).name]: value } });
export const isNumber = (form) => Boolean(next(form)?.number);
