// The circles of the four criminals, the files of the four places, and the players' cars, as a drawing
// and as a list.

import { answers, called, given, h, offered, s, words } from '/static/game.js';

const ORDER = ['red', 'yellow', 'blue', 'green'];
const R = 74;

// Return the place of a criminal as a sentence.
function said(state, colour) {
  const at = state.circle[colour];
  const red = state.red[colour];
  return [`${called(colour)} · ${called(state.places[colour])}`,
    at === null ? words('arrested') : words('field', { n: at + 1, of: state.fields[colour] }),
    at !== null && red.includes(at) ? words('on_red') : '',
    words('reds', { fields: red.map((one) => one + 1).join(', ') || '–' })].filter(Boolean).join(', ');
}

// Return the attributes of a circle or a field that gives an answer on a touch.
const touched = (can, value, label) => (can ? { ...answers(value), class: 'can', role: 'button', tabindex: 0, 'aria-label': label } : {});

function circle(state, colour, x, y) {
  const fields = given().colour === colour ? offered('n') : [];
  const can = offered('colour', 'criminal').includes(colour);
  const n = state.fields[colour];
  const point = (i) => [Math.sin(2 * Math.PI * i / n) * R, -Math.cos(2 * Math.PI * i / n) * R];
  const now = state.circle[colour];
  const trap = new Set(state.red[colour]);
  return s('g', { transform: `translate(${x} ${y})`, 'data-key': colour }, s('g', { class: `f-${colour}` }, s('g', { ...touched(can, colour, said(state, colour)) },
    can ? s('circle', { class: 'whole', r: R + 26 }) : null,
    s('circle', { class: 'ring', r: R }),
    Array.from({ length: n }, (_, i) => {
      const [px, py] = point(i);
      return s('g', { transform: `translate(${px} ${py})`, ...touched(fields.includes(i), i, words('field', { n: i + 1, of: n })) },
        s('circle', { class: trap.has(i) ? 'field trap' : 'field', r: 21 }),
        i === 0 ? s('circle', { r: 6, fill: 'currentColor' }) : null,
        trap.has(i) ? s('path', { class: 'backline', d: 'M-11 -11L11 11M11 -11L-11 11' }) : null);
    }),
    s('text', { y: -4, 'font-size': 19, 'font-weight': 700 }, called(colour)),
    s('text', { y: 18, 'font-size': 14, class: 'soft' }, now === null ? words('arrested') : called(state.places[colour])),
    now === null ? null : s('g', { class: 'moves', 'data-key': 'criminal', transform: `translate(${point(now).join(' ')})` },
      s('path', { class: 'pawn', d: 'M-13 16Q-13 3-5 -1A9 9 0 1 1 5 -1Q13 3 13 16Z' })))));
}

function file(state, colour) {
  const status = state.files[colour];
  const team = Object.keys(state.mission).filter((who) => state.mission[who] === colour);
  const alarm = team.some((who) => state.may_arrest.includes(who));
  return h('section', { class: `file f-${colour}${status === 'open' ? '' : ' closed'}${alarm ? ' alarm' : ''}`, 'data-key': colour },
    h('h2', {}, `${called(colour)} · ${called(state.places[colour])}`),
    h('p', { class: 'tag' }, status === 'open' ? words('open_file') : words('closed_by', { who: status })),
    team.map((who) => h('p', {}, who,
      state.warrant[who] ? ` · ${words('warrant')}` : '',
      state.may_arrest.includes(who) ? h('b', { class: 'bad' }, ` · ${words('may_arrest')}`) : null)));
}

export const board = (state) => [
  s('svg', { class: 'board', viewBox: '0 0 460 440', ...(offered('colour', 'criminal', 'n').length ? { role: 'group', 'aria-label': words('board') } : { 'aria-hidden': 'true' }) },
    ORDER.map((colour, i) => circle(state, colour, 120 + (i % 2) * 220, 112 + Math.floor(i / 2) * 216))),
  h('ul', { class: 'hush', 'aria-label': words('board') }, ORDER.map((colour) => h('li', { 'data-key': colour }, said(state, colour)))),
  h('div', { class: 'files' }, ORDER.map((colour) => file(state, colour))),
];

export const score = (state, who) => [
  state.arrests[who],
  [state.cars[who] ? words('cars', { colour: called(`car:${who}`) }) : '', state.cars[who] ? called(`duty:${who}`) : ''].filter(Boolean).join(' · '),
];

export const total = (state) => (state.roll === null ? null : [state.roll, words('rolled')]);

export const secret = () => false;
