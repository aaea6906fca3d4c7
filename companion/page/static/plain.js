// The drawing of a game without a page.js: a list of facts, and a table with a column for each player.

import { h } from './tree.js';
import { model, words } from './model.js';

const COUNTS = ['scores', 'points'];  // names of the facts that the page shows beside the players' names

export function board(state) {
  const each = state.facts.filter((fact) => fact.by);
  const all = state.facts.filter((fact) => !fact.by);
  const { players } = model.hello;
  return [
    all.length ? h('table', { class: 'plain', 'data-key': 'all' }, h('tbody', {}, all.map((fact) =>
      h('tr', { 'data-key': fact.name }, h('th', { scope: 'row' }, fact.label), h('td', {}, fact.text))))) : null,
    each.length ? h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': words('board'), 'data-key': 'each' }, h('table', { class: 'plain' },
      h('thead', {}, h('tr', {}, h('td', {}), players.map((who) => h('th', { scope: 'col' }, who)))),
      h('tbody', {}, each.map((fact) => h('tr', { 'data-key': fact.name }, h('th', { scope: 'row' }, fact.label),
        players.map((who) => h('td', {}, fact.by[who]))))))) : null,
  ];
}

export function score(state, who) {
  const counted = state.facts.find((fact) => fact.by && COUNTS.includes(fact.name));
  return [model.over?.scores?.[who] ?? counted?.by[who] ?? '', ''];
}

export const total = () => null;

export const note = () => null;

// Without a page.js, secrets are text and questions have no drawing.
export const hand = () => null;

export const beside = () => null;

export const send = () => null;

export const own = () => null;

export const secret = () => Boolean(model.state?.secrets);
