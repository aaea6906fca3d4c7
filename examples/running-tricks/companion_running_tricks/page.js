// Running tricks on phones: a dot for each trick of the deal, the points beside the names.

import { h, hush, mark, players, words } from '/static/game.js';

export const board = (state) => h('ul', {}, players().map((who) => h('li', { 'data-key': who },
  `${who} `, mark('●'.repeat(state.tricks[who])), hush(words('tricks', { n: state.tricks[who] })))));

export const score = (state, who) => [state.points[who], words('tricks', { n: state.tricks[who] })];

export const secret = () => false;
