// The score pad on phones: a column for each player, a row for each round, the totals below.

import { h, players, words } from '/static/game.js';

const signed = (n) => (n === undefined ? '' : n > 0 ? `+${n}` : String(n));

export const board = (state) => h('table', {},
  h('tr', {}, h('th', {}, words('rounds')), players().map((who) => h('th', { 'data-key': who }, who))),
  Array.from({ length: Math.max(...players().map((who) => state.rounds[who].length)) }, (_, n) => h('tr', { 'data-key': String(n) },
    h('th', {}, String(n + 1)), players().map((who) => h('td', {}, signed(state.rounds[who][n]))))),
  h('tr', {}, h('th', {}, words('total')), players().map((who) => h('td', {}, h('b', {}, String(state.scores[who]))))));

export const score = (state, who) => [state.scores[who], words('total')];

export const secret = () => false;
