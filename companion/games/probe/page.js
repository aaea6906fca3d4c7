// The racks, as a drawing and as a list: twelve flaps each, with their values, and the letters that are open.

import { answers, called, h, offered, words } from '/static/game.js';

const shown = (letter) => (letter === '.' ? '●' : letter);

// The answer that uncovers this flap, if it is asked for and this rack may be meant.
function uncovers(rack, place) {
  return offered('uncover').find((value) => value === `${rack}:${place}`) ?? null;
}

function said(one) {
  const letter = one.covered ? words('covered') : one.letter === '.' ? words('dot') : one.letter || words('empty');
  return `${letter}, ${one.value}`;
}

function flap(rack, one, i) {
  const used = one.covered || one.letter;
  const answer = uncovers(rack, i + 1);
  return h(answer ? 'button' : 'div', {
    class: `flap${one.covered ? ' down' : ''}${used ? '' : ' off'}`, 'data-key': `f${i}`,
    ...(answer ? { ...answers(answer), 'aria-label': `${i + 1}: ${said(one)}` } : { 'aria-hidden': 'true' }),
  }, h('b', {}, one.covered ? '?' : one.letter ? shown(one.letter) : ' '), h('i', {}, one.value));
}

export const board = (state) => Object.entries(state.racks).map(([rack, flaps]) =>
  h('section', { class: 'rack', 'data-key': rack },
    h('h2', {}, called(rack), state.solved.includes(rack) ? ` · ${words('open')}` : '',
      state.asked?.[rack.split(':')[0]]?.length ? h('span', { class: 'tag' }, ` · ${state.asked[rack.split(':')[0]].map(shown).join(' ')}`) : null),
    h('div', { class: 'flaps' }, flaps.map((one, i) => flap(rack, one, i))),
    h('ol', { class: 'hush' }, flaps.map((one) => h('li', {}, said(one))))));

export const score = (state, who) => [state.scores[who], ''];

export const total = (state) => (state.letter ? [shown(state.letter), state.whom ?? ''] : null);

export const note = (state) => (state.card ? called('card') : null);

export const secret = (options) => options.words === 'secret';
