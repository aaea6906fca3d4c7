// Liar's dice on phones: the bid, a cup for each player, and the dice of the cups that are lifted.

import { h, hush, mark, players, s, words } from '/static/game.js';

const PIPS = [[], [[1, 1]], [[0, 0], [2, 2]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [0, 2], [2, 0], [2, 2]],
  [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]]];

const die = (face, size = 34) => s('svg', { viewBox: '0 0 34 34', width: size, height: size, role: 'img', 'aria-label': String(face) },
  s('rect', { x: 1, y: 1, width: 32, height: 32, rx: 6, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }),
  PIPS[face].map(([x, y]) => s('circle', { cx: 8 + 9 * x, cy: 8 + 9 * y, r: 3, fill: 'currentColor' })));

const cup = (state, who) => h('li', { 'data-key': who }, h('b', {}, who), ' ',
  state.dice[who] === 0 ? words('out')
    : state.lifted[who] ? state.lifted[who].map((face) => die(face, 26))
      : [mark('▣'.repeat(state.dice[who])), hush(words('dice', { n: state.dice[who] }))]);

export const board = (state) => [
  state.palifico ? h('p', { class: 'tag' }, words('palifico')) : null,
  h('ul', {}, players().map((who) => cup(state, who))),
];

export const total = (state) => (state.count === null
  ? ['–', words('none')]
  : [h('span', {}, `${state.count} × `, die(state.face)), words('bid', { who: state.bidder })]);

export const score = (state, who) => [state.dice[who], words('dice', { n: state.dice[who] })];

export const secret = () => true;
