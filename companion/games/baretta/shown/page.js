// Baretta's board, as a drawing and as a list: cards face down and up, the players' markers, and the figure.

import { answers, called, h, offered, s, seat, words } from '/static/game.js';

const STEP = 84;
const EDGE = 52;
const LETTERS = 8;  // letters of a name that fit at full size
const HALF = { outside: 34, corner: 46, hideout: 46, shortcut: 23 };
const MARKS = ['●', '■', '▲', '◆'];
const SPACES = ['move_to', 'hunch', 'take_back', 'unmark', 'look', 'draw', 'swap', 'swap_with', 'by_hand', 'space'];

const at = ([x, y]) => [EDGE + x * STEP, EDGE + y * STEP];

// Return a name as lines that fit a space.
function lines(name, room) {
  const found = [''];
  for (const word of name.split(/\s+/)) {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (longer.length > room && found.at(-1)) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found.slice(0, 3);
}

function label(name, size, room, down = 0) {
  const rows = lines(name, room);
  const fits = Math.min(size, (size * LETTERS) / Math.max(...rows.map((row) => row.length)));
  return rows.map((row, i) => s('text', { y: down + size * 0.35 + (i - (rows.length - 1) / 2) * size * 1.1, 'font-size': fits }, row));
}

function card(id, space) {
  if (!space.card) return null;
  if (space.card === 'down') {
    return s('g', { 'data-key': 'down' },
      s('rect', { class: 'back', x: -24, y: -28, width: 48, height: 56, rx: 5 }),
      s('path', { class: 'backline', d: 'M-19 -23H19V23H-19Z' }),
      s('text', { class: 'lit', y: 9, 'font-size': 25, 'font-weight': 700 }, space.cleared ? '✓' : id));
  }
  return s('g', { 'data-key': 'up' },
    s('rect', { class: 'face', x: -31, y: -30, width: 62, height: 60, rx: 5 }),
    label(called(space.card), 12, 8));
}

function marker(who) {
  if (!who) return null;
  return s('g', { class: `seat${seat(who)}`, transform: 'translate(22 -22)', 'data-key': 'marker' },
    s('circle', { class: 'disc', r: 14 }),
    s('text', { class: 'ondisc', y: 6, 'font-size': 16 }, MARKS[seat(who)] ?? who[0]));
}

function told(id, space) {
  const lies = space.card === 'down' ? words('down') : space.card ? called(space.card) : '';
  const whose = space.marker ? words('marker', { who: space.marker }) : '';
  const does = called(`does:${id}`, '');
  return [called(id), does, lies, whose, space.cleared ? words('cleared') : ''].filter(Boolean).join(', ');
}

// Return the board as a list, with the content of each space.
function listed(spaces) {
  return h('ul', { class: 'hush', 'data-key': 'listed' }, Object.entries(spaces).map(([id, space]) =>
    h('li', { 'data-key': id }, `${told(id, space)} · ${words('next', { spaces: space.next.map((one) => called(one)).join(', ') })}`)));
}

function place(id, space, state, can) {
  const half = HALF[space.kind];
  const round = space.kind === 'hideout' || space.kind === 'shortcut';
  const here = state.baretta === id ? ' here' : '';
  const kind = space.kind === 'outside' || space.kind === 'shortcut' ? 'space' : 'space kind';
  const acts = can ? { ...answers(id), role: 'button', tabindex: 0, 'aria-label': told(id, space) } : { 'aria-hidden': 'true' };
  return s('g', { class: can ? 'can' : '', transform: `translate(${at(space.at).join(' ')})`, 'data-key': id, ...acts },
    s('title', {}, told(id, space)),
    round ? s('circle', { class: kind + here, r: half })
      : s('rect', { class: kind + here, x: -half, y: -half, width: 2 * half, height: 2 * half, rx: space.kind === 'corner' ? 18 : 7 }),
    space.kind === 'outside' && !space.card ? s('text', { class: 'soft', y: 9, 'font-size': 26 }, id) : null,
    space.kind === 'shortcut' ? s('text', { class: 'soft', y: 8, 'font-size': 23 }, id.toUpperCase()) : null,
    space.kind === 'corner' || space.kind === 'hideout' ? label(called(id), 16, 10, here ? 24 : 0) : null,
    card(id, space), marker(space.marker));
}

function ways(spaces) {
  const found = [];
  for (const [id, space] of Object.entries(spaces)) {
    for (const next of space.next) {
      if (id < next && spaces[next]) found.push(`M${at(space.at).join(' ')}L${at(spaces[next].at).join(' ')}`);
    }
  }
  return found.join('');
}

export function board(state) {
  const spaces = state.spaces;
  const can = new Set(offered(...SPACES));
  const figure = at(spaces[state.baretta].at);
  const side = 2 * EDGE + 7 * STEP;
  return [s('svg', { class: 'board', viewBox: `0 0 ${side} ${side}`, ...(can.size ? { role: 'group', 'aria-label': words('board') } : { 'aria-hidden': 'true' }) },
    s('path', { class: 'way', d: ways(spaces) }),
    Object.entries(spaces).map(([id, space]) => place(id, space, state, can.has(id))),
    s('g', { class: 'moves', 'data-key': 'figure', transform: `translate(${figure.join(' ')})`, 'aria-hidden': 'true' },
      s('path', { class: 'pawn', d: 'M-17 25Q-17 5-6 2A11 11 0 1 1 6 2Q17 5 17 25Z' }),
      s('path', { class: 'pawn', d: 'M-17 -13H17M-10 -14L-8 -24H8L10 -14Z' }))),
  h('p', { class: 'hush', 'data-key': 'where' }, words('where', { space: called(state.baretta) })), listed(spaces)];
}

export function score(state, who) {
  const out = state.out.includes(who) ? words('out') : state.sitting.includes(who) ? words('sitting') : '';
  const accused = state.accused[who] ? called(state.accused[who]) : '';
  const dealt = state.phase !== 'opening' || state.pile[who];
  const pile = dealt ? words('pile', { n: state.pile[who] ?? 0 }) : '';
  return [MARKS[seat(who)] ?? '', [accused, pile, out].filter(Boolean).join(' · ')];
}

export const secret = (options) => options.deck === 'virtual';
