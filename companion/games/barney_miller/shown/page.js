// The track with its pawn, the running total and the four Wanted posters, as a drawing and as a list.

import { called, h, hush, mark, players, s, seat, words } from '/static/game.js';

const W = 84;
const H = 84;
const SIGNS = { start: '⌂', positive_identification: '+1', arrest_warrant: '★', insufficient_evidence: '–', unknown: '?' };

// Return the columns and rows of a ring with `n` spaces.
function ring(n) {
  const half = Math.ceil(n / 2);
  const rows = Math.max(2, Math.floor((half - 2) * 0.45));
  return [half - rows, rows];
}

function spot(i, columns, rows) {
  if (i <= columns) return [i, 0];
  if (i <= columns + rows) return [columns, i - columns];
  if (i <= 2 * columns + rows) return [2 * columns + rows - i, rows];
  return [0, 2 * (columns + rows) - i];
}

const initials = (name) => name.split(/[\s-]+/).map((part) => part[0]).join('').slice(0, 3).toUpperCase();

function halves(name) {
  const at = name.indexOf(' ', 3);
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
}

const named = (one) => (one.gang ? called(one.gang) : called(one.kind));

function space(one, i, at) {
  const name = named(one);
  return s('g', { transform: `translate(${at[0] * W + 8} ${at[1] * H + 8})` },
    s('title', {}, name),
    s('rect', { class: one.gang ? 'space' : 'space kind', width: W - 8, height: H - 8, rx: 9 }),
    s('text', { class: 'sign', x: (W - 8) / 2, y: 32 }, one.gang ? initials(name) : SIGNS[one.kind]),
    halves(name).map((half, i) => s('text', { class: 'tiny soft', x: (W - 8) / 2, y: 51 + 14 * i }, half)));
}

function played(state) {
  return state.played.map(([who, value]) => `${who} ${value}`).join('  ·  ');
}

function track(state) {
  const [columns, rows] = ring(state.track.length);
  const wide = (columns + 1) * W + 8;
  const high = (rows + 1) * H + 8;
  const pawn = spot(state.pawn ?? 0, columns, rows);
  return s('svg', { class: 'board', viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' },
    state.track.map((one, i) => space(one, i, spot(i, columns, rows))),
    s('text', { x: wide / 2, y: high / 2 + 18, 'font-size': 104, 'font-weight': 800 }, state.total),
    s('text', { x: wide / 2, y: high / 2 + 46, 'font-size': 17, class: 'soft' }, played(state) || words('of_ten')),
    state.pawn === null ? null : s('g', { class: 'moves', 'data-key': 'pawn',
        transform: `translate(${pawn[0] * W + W - 14} ${pawn[1] * H + 24})` },
      s('path', { class: 'pawn', d: 'M-13 16Q-13 2-5 -2A9 9 0 1 1 5 -2Q13 2 13 16Z' })));
}

// Return the track as a list: the total, the played cards, and the spaces from the start on.
function listed(state) {
  return h('div', { class: 'hush', 'data-key': 'listed' },
    h('p', {}, [words('total', { n: state.total }), played(state)].filter(Boolean).join(' · ')),
    h('ol', { 'aria-label': words('table') }, state.track.map((one, i) =>
      h('li', {}, named(one), i === state.pawn ? ` · ${words('pawn')}` : ''))));
}

function poster(who, suspects, state) {
  const caught = new Set(state.captured[who]);
  const wanted = state.space;
  return h('section', { class: `poster seat${seat(who)}`, 'data-key': who },
    h('h2', {}, h('span', { class: 'chip', 'aria-hidden': 'true' }, who[0]), who),
    h('ul', {}, suspects.map((one) => h('li', { class: caught.has(one.id) ? 'caught' : '' },
      mark(caught.has(one.id) ? '☑ ' : '☐ '), called(one.id),
      caught.has(one.id) ? hush(` · ${words('captured')}`) : wanted?.gang === one.gang ? [mark(' ◂'), hush(` · ${words('wanted')}`)] : ''))),
    h('p', { class: 'tag' }, words('reserve', { n: state.reserve[who] }), ' · ',
      words('cards_left', { n: state.hand[who] + state.second[who] })));
}

export const board = (state) => [
  state.track ? [track(state), listed(state)] : h('p', { class: 'total' }, state.total),
  h('div', { class: 'posters' },
    players().map((who) => poster(who, state.posters[who] ?? [], state))),
];

export const score = (state, who) => [
  `${state.captured[who].length}/4${state.reserve[who] ? ` +${state.reserve[who]}` : ''}`,
  words('cards_left', { n: state.hand[who] + state.second[who] }),
];

export const total = (state) => [state.total, words('of_ten')];

export const cards = ['play_card'];

export const secret = (options) => options.deck === 'virtual';
