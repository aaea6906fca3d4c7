// The racks, as a drawing and as a list: twelve flaps each, with their values, and the open letters.

import { answers, called, h, offered, types, words } from '/static/game.js';

const PLACES = 12;
const MOST_DOTS = 5;
const DOT = '.';
const UNSEEN = '_';

const shown = (letter) => (letter === DOT ? '●' : letter);

// Return the answer that uncovers this flap, if the question allows it.
function uncovers(rack, place, state) {
  const single = !rack.includes(':') && state.uncovering.includes(rack);
  return offered('uncover').find((value) => value === `${rack}:${place}` || (single && value === place)) ?? null;
}

function said(one) {
  const letter = one.covered ? words('covered') : one.letter === DOT ? words('dot') : one.letter || (one.used ? words('uncovered') : words('empty'));
  return `${letter}, ${one.value}`;
}

// Draw one flap. `own`: its letter, which only the owner sees.
function flap(one, i, answer = null, own = null) {
  const used = one.used || own;
  const label = own ? `${i + 1}: ${own === DOT ? words('dot') : own}, ${one.value}` : `${i + 1}: ${said(one)}`;
  return h(answer === null ? 'div' : 'button', {
    class: `flap${one.covered ? ' down' : ''}${used ? '' : ' off'}${answer === null ? '' : ' fits'}`, 'data-key': `f${i}`,
    ...(answer === null ? { 'aria-hidden': 'true' } : { ...answers(answer), 'aria-label': label }),
  }, h('b', {}, own ? shown(own) : one.covered ? '?' : one.letter ? shown(one.letter) : one.used ? '–' : ' '), h('i', {}, one.value));
}

// Draw a rack. `answer(place)`: the answer that a touched flap gives. `word`: the letters under the flaps.
function rack(state, name, { title = called(name), answer = () => null, word = null, list = true } = {}) {
  const flaps = state.racks[name];
  const fits = flaps.map((_, i) => answer(i + 1));
  const asked = state.asked?.[name.split(':')[0]] ?? [];
  return h('section', { class: 'rack', 'data-key': name },
    h('h2', {}, title, state.solved.includes(name) ? ` · ${words('open')}` : '',
      asked.length && !word ? h('span', { class: 'tag' }, ` · ${asked.map(shown).join(' ')}`) : null),
    h('div', { class: word || fits.some((one) => one !== null) ? 'flaps large' : 'flaps' },
      flaps.map((one, i) => flap(one, i, fits[i], word?.[i] ?? null))),
    list ? h('ol', { class: 'hush' }, flaps.map((one) => h('li', {}, said(one)))) : null);
}

const owner = (name) => name.split(':')[0];

export const board = (state) => Object.keys(state.racks).map((name) =>
  rack(state, name, { answer: state.secrets ? undefined : (place) => uncovers(name, place, state) }));

// --- The player's words -----------------------------------------------------------------------------

const side = (name) => (name.endsWith(':left') ? words('own_left') : name.endsWith(':right') ? words('own_right') : words('own_only'));

const spelled = (word) => [...word].map((letter) => (letter === DOT ? words('dot') : letter)).join(', ');

export const own = () => words('own_title');

// Return the drawing of the player's words, or null while the player has no word.
export const hand = (secrets, state) => {
  const racks = secrets.flatMap((one) => Object.entries(one.words ?? {}));
  return racks.length === 0 ? null : racks.map(([name, word]) => [
    rack(state, name, { title: side(name), word, list: false, answer: (place) => uncovers(name, place, state) }),
    h('p', { class: 'hush', 'data-key': `said ${name}` }, `${side(name)}: ${spelled(word)}`),
  ]);
};

// --- Beside a question ------------------------------------------------------------------------------

// Draw typed letters in a rack whose other flaps are empty.
function filled(name, letters, title) {
  const values = VALUES.map((value, i) => [value, letters[i] ?? '']);
  const hand = name.split(':')[1] ?? '';
  return h('section', { class: `rack spelt ${hand}`, 'data-key': name }, h('h3', {}, title),
    h('div', { class: 'flaps', 'aria-hidden': 'true' }, values.map(([value, letter], i) =>
      h('div', { class: `flap${letter ? '' : ' off'}${letter === UNSEEN ? ' down' : ''}`, 'data-key': `f${i}` },
        h('b', {}, letter === UNSEEN ? '?' : letter ? shown(letter) : ' '), h('i', {}, value)))));
}

const VALUES = [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5];

// Return a button that changes the typed letters; it is disabled if it has no effect.
const changes = (sign, label, letters, can) => h('button', {
  type: 'button', class: 'quiet', 'data-key': label, 'aria-label': label, ...(can ? types(letters) : { 'aria-disabled': 'true' }),
}, sign);

function dots(typed) {
  const [, front, letters, behind] = /^(\.*)(.*?)(\.*)$/.exec(typed);
  const room = letters && typed.length < PLACES && front.length + behind.length < MOST_DOTS;
  const can = (placed) => letters && placed.length > 0;
  return h('div', { class: 'dots' },
    h('span', {}, words('front')), changes('−', words('front_less'), typed.slice(1), can(front)),
    h('b', {}, front.length), changes('+', words('front_more'), DOT + typed, room),
    h('span', {}, words('behind')), changes('−', words('behind_less'), typed.slice(0, -1), can(behind)),
    h('b', {}, behind.length), changes('+', words('behind_more'), typed + DOT, room));
}

function spelling(ask, typed) {
  const worth = VALUES.slice(0, typed.length).reduce((sum, value) => sum + value, 0);
  return [filled(ask.rack, typed, side(ask.rack)),
    h('p', { class: 'tag' }, typed ? words('places', { n: typed.length, points: worth }) : words('lengths')), dots(typed)];
}

export function beside(ask, state, typed) {
  if (ask.question === 'word') return spelling(ask, typed);
  if (ask.question === 'guess') {
    return [filled(ask.rack, typed, called(ask.rack)), h('p', { class: 'tag' }, words('guess_rest')),
      h('p', {}, changes('+ ●', words('add_dot'), rest(ask, typed) + DOT, typed.includes(UNSEEN)))];
  }
  if (ask.question !== 'ask_for' || !state.whom) return null;
  return Object.keys(state.racks).filter((name) => owner(name) === state.whom).map((name) => rack(state, name, { list: false }));
}

// Return the letters typed in a word's covered places.
const rest = (ask, typed) => [...typed].filter((letter, i) => ask.spell.open[i] === UNSEEN && letter !== UNSEEN).join('');

export const send = (ask) => (ask.question === 'guess' ? words('guess_costs') : null);

export const score = (state, who) => [state.scores[who], ''];

export const total = (state) => (state.letter ? [shown(state.letter), state.whom ?? ''] : null);

export const note = (state) => (state.card ? called('card') : null);

export const secret = (options) => options.words === 'secret';
