// A game that draws nothing itself: its public state, as a table of what it has for each player.

import { h } from './tree.js';
import { model } from './model.js';

const HIDDEN = new Set(['type', 'event_id', 'named']);
const text = (value) => (Array.isArray(value) ? value.map(text).join(' ') : value === null ? '–' : typeof value === 'object'
  ? Object.entries(value).map(([name, one]) => `${name}: ${text(one)}`).join(', ') : String(value));

export const board = (state) => h('table', { class: 'plain' }, h('tbody', {},
  Object.entries(state).filter(([name]) => !HIDDEN.has(name)).map(([name, value]) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, text(value))))));

export const score = (state, who) => [text(state.scores?.[who] ?? ''), ''];

export const total = () => null;

export const note = () => null;

export const secret = () => true;
