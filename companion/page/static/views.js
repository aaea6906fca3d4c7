// Functions that build the parts of the page from the state.

import { answering, offered, panel, within } from './asking.js';
import { mayStayLit, sounds } from './awake.js';
import * as drawing from './drawing.js';
import { h, hush, mark } from './tree.js';
import { mine, missed, model, own, seat, toAct, words } from './model.js';

const SHOWN = 5;
const SPEAKS = 'interrupt';  // name of the form with which a player acts out of turn

// --- The question ----------------------------------------------------------------------------------

// Return the heading of the question card, which gets the focus when the focused element is removed.
const heading = (id, ...lines) =>
  h('div', { id: 'question', role: 'heading', 'aria-level': 2, tabindex: -1, 'data-id': id }, lines);

export function question(touched) {
  const { ask, over } = model;
  if (over) {
    return h('section', { class: 'card mine', 'data-key': 'over' },
      heading('over', h('p', { class: 'question' }, words(['no_winner', 'winner'][over.winners.length] ?? 'winners', { who: over.winners.join(', ') }))));
  }
  if (!ask) return null;
  const my = mine();
  return h('section', { class: my ? 'card mine' : 'card', 'data-key': 'ask' },
    heading(ask.id, h('p', { class: 'where' }, my ? words(ask.who ? 'your_turn' : 'table_asks') : words('waits', { who: ask.who ?? '' })),
      h('p', { class: 'question', id: 'sentence' }, ask.sentence)),
    my && !own.asked ? answering(ask, true, touched) : null,
    own.error && !own.asked ? h('p', { class: 'verdict bad', role: 'alert', 'data-key': 'wrong' }, own.error) : null);
}

// --- The player's secrets ---------------------------------------------------------------------------------------

// Return the game's drawing of the player's secrets, or null while the secrets are covered.
export const secretly = () => (own.open && own.secret && model.state ? drawing.hand(own.secret.secrets, model.state) : null);

// Return true if the players have secrets, or if this phone can answer a private question.
const hides = () => drawing.secret(model.hello.options) || Boolean(mine() && model.ask.private);

export function hand(drawn) {
  if (!model.me || !model.state || !hides()) return null;
  return h('section', { class: 'card', 'data-key': 'hand' },
    h('h2', {}, drawing.own() ?? words('mine'), own.news ? h('span', { class: 'tag' }, mark(' ●'), hush(words('news'))) : null),
    h('div', { class: 'secret', id: 'secret' }, own.open
      ? drawn ?? own.secrets.map((one) => h('p', { 'data-key': one }, one))
      : h('p', { class: 'covered' }, mark('▒ ▒ ▒'), hush(words('covered')))),
    h('button', { class: own.open ? 'hold on' : 'hold', id: 'hold', 'data-key': 'hold', 'aria-expanded': String(own.open), 'aria-controls': 'secret' },
      words(own.keep ? 'cover' : own.open ? 'let_go' : 'hold')),
    h('div', { class: 'row' },
      h('button', { class: 'quiet grow', 'data-do': 'keep', 'aria-pressed': String(own.keep) }, words('keep_open'))));
}

// --- The table -------------------------------------------------------------------------------------

function total() {
  const [large, small] = drawing.total(model.state) ?? [];
  return large === undefined ? null : h('p', { class: 'total' }, large, h('span', { class: 'of' }, ` ${small}`));
}

export function status() {
  if (!model.state) return null;
  const who = toAct();
  const note = drawing.note(model.state);
  const large = total();
  if (!large && !note) return null;
  return h('section', { class: 'card status', 'data-key': 'status' },
    who && who !== model.ask?.who ? h('h2', {}, words('turn', { who })) : null, large, note ? h('p', { class: 'question' }, note) : null);
}

export function scores() {
  if (!model.state) return null;
  const now = toAct();
  return h('section', { class: 'card', 'data-key': 'scores' },
    h('table', { class: 'scores' },
      h('caption', { class: 'hush' }, words('scores')),
      h('tbody', {}, model.hello.players.map((who) => {
        const [points, more] = drawing.score(model.state, who);
        return h('tr', { class: `seat${seat(who)}${who === now ? ' now' : ''}`, 'data-key': who },
          h('th', { scope: 'row', 'aria-current': who === now ? 'true' : false }, who, who === model.me ? ` (${words('you')})` : '', more ? h('small', {}, more) : null),
          h('td', {}, points));
      }))));
}

// Return a clause's number, with a link to the rules if the page has the rules of this game.
function clause(name) {
  const rules = model.hello.drawing?.rules;
  return rules ? h('a', { href: `${rules}#${name}` }, name) : name;
}

export function told() {
  if (!model.told.length) return null;
  const lines = [...model.told].reverse();
  const line = (one) => h('li', { class: one === lines[0] ? 'new' : '', 'data-key': one.event_id ?? '' }, one.sentence || one.text,
    one.clause ? h('small', {}, clause(one.clause), one.ruling && one === lines[0] ? ` ${one.ruling}` : '') : null);
  return h('section', { class: 'card', 'data-key': 'told' },
    h('h2', {}, words('happened')),
    h('ul', { class: 'told' }, lines.slice(0, SHOWN).map(line)),
    lines.length > SHOWN ? h('details', {}, h('summary', {}, words('earlier')), h('ul', { class: 'told' }, lines.slice(SHOWN).map(line))) : null);
}

export function board() {
  if (!model.state) return null;
  const from = model.hello.drawing?.package;
  return h('section', { class: 'card', 'data-key': 'board', 'aria-label': words('board') }, drawing.board(model.state),
    from ? h('p', { class: 'tag' }, words('stranger', { package: from })) : null);
}

export function frame() {
  if (!model.frame) return null;
  return h('section', { class: 'card', 'data-key': 'frame' }, h('h2', {}, words('box')),
    h('img', { class: 'frame', src: `data:image/png;base64,${model.frame}`, alt: words('frame_alt'), width: 512, height: 256 }));
}

export function tools() {
  if (!model.me || !model.state) return null;
  return h('div', { class: 'tools', role: 'group', 'aria-label': words('tools'), 'data-key': 'tools' },
    offered().filter((one) => one.form === SPEAKS).map((one) =>
      h('button', { class: 'strong', 'data-do': 'form', 'data-value': one.form, 'data-key': one.form }, one.text)),
    h('button', { 'data-do': 'why' }, words('why')),
    h('button', { 'data-do': 'undo' }, words('undo')));
}

// Return the buttons for all forms except SPEAKS, and for the turn sound.
export function wishes() {
  if (!model.me) return null;
  return h('section', { class: 'row', 'data-key': 'wishes' },
    offered().filter((one) => one.form !== SPEAKS).map((one) =>
      h('button', { class: 'quiet', 'data-do': 'form', 'data-value': one.form, 'data-key': one.form }, one.text)),
    h('button', { class: 'quiet', 'data-do': 'sound', 'aria-pressed': String(sounds()) }, words('turn_sound')));
}

// Return the buttons for redo, if a game is running, and for giving up the seat.
export function more() {
  if (!model.me) return null;
  return h('section', { class: 'row', 'data-key': 'more' },
    model.state ? h('button', { class: 'quiet', 'data-do': 'redo' }, words('redo')) : null,
    h('button', { class: 'quiet', 'data-do': 'leave' }, words('leave')));
}

// Return help about a screen that goes dark, if the browser cannot keep the screen lit.
export const sleeps = () => (model.me && !mayStayLit() ? h('details', { 'data-key': 'sleeps' },
  h('summary', {}, words('sleeps')), h('p', {}, words('sleeps_help'))) : null);

export function explained() {
  if (!own.explained) return null;
  return h('section', { class: 'card', 'data-key': 'why' }, h('h2', {}, words('why')),
    h('p', {}, own.explained), h('button', { class: 'quiet', 'data-do': 'understood' }, words('close')));
}

// Return the card that asks the player to confirm an undo.
export function undoing() {
  if (!own.undoing) return null;
  const last = model.told.at(-1);
  return h('section', { class: 'card mine', role: 'dialog', 'aria-modal': 'false', 'aria-labelledby': 'undoing', 'data-key': 'undoing' },
    h('p', { class: 'question', id: 'undoing', role: 'heading', 'aria-level': 2, tabindex: -1 }, words('undo_sure')),
    last ? h('p', { class: 'where' }, last.sentence || last.text) : null,
    h('div', { class: 'row' },
      h('button', { class: 'strong', 'data-do': 'take_back' }, words('undo_yes')),
      h('button', { class: 'quiet', 'data-do': 'stay' }, words('undo_no'))));
}

export function since() {
  const lines = missed();
  if (!lines.length) return null;
  return h('section', { class: 'card since', 'data-key': 'since' }, h('h2', {}, words('since')),
    lines.map((one) => h('p', { 'data-key': one.event_id }, one.sentence || one.text)),
    h('button', { class: 'quiet', 'data-do': 'seen' }, words('close')));
}

export function banner() {
  const gone = { gone: words('gone'), removed: words('removed'), lost: words('lost') }[own.gone];
  if (gone) return h('p', { class: 'banner', 'data-key': 'banner' }, gone, ' ', h('a', { href: '/' }, words('join_again')));
  const say = own.trouble ? words(own.trouble) : model.awake ? '' : words('asleep');
  return say ? h('p', { class: 'banner', 'data-key': 'banner' }, say) : null;
}

// --- Joining ---------------------------------------------------------------------------------------

export function join() {
  if (model.me || !model.hello.players.length) return null;
  const { joining } = own;
  return h('section', { class: 'card', 'data-key': 'join' },
    h('h2', {}, words('join')),
    joining?.waiting ? h('div', { 'data-key': 'waits' },
      h('p', { class: 'question', id: 'waits', role: 'heading', 'aria-level': 3, tabindex: -1 }, words('press_ok', { who: joining.name })),
      h('p', {}, words('press_help'))) : null,
    h('div', { hidden: Boolean(joining?.waiting) },  // hidden instead of removed, so that the typed code stays
      h('p', {}, words('join_help')),
      h('div', { class: 'code' }, h('label', { for: 'code' }, words('code')),
        h('input', { type: 'text', id: 'code', maxlength: 4, autocomplete: 'off', autocapitalize: 'characters', autocorrect: 'off', spellcheck: 'false',
          'aria-invalid': joining?.wrong ? 'true' : false })),
      h('p', {}, words('pick')),
      h('div', { class: 'seats' }, model.hello.players.map((who, i) =>
        h('button', { class: `seat${i}`, 'data-do': 'join', 'data-value': who, 'data-key': who },
          h('span', { class: 'chip', 'aria-hidden': 'true' }, who[0]), who)))),
    joining?.error ? h('p', { class: 'verdict bad', role: 'alert', 'data-key': 'wrong' }, joining.error) : null);
}

// --- Whole pages -----------------------------------------------------------------------------------

const title = () => h('h1', { class: model.state ? 'hush' : '', tabindex: -1 }, model.hello.title ?? '');
const nothing = () => (model.hello.game ? null : h('p', { class: 'question', 'data-key': 'nothing' }, words('no_game')));

// Return the page of a phone. A drawing with answers is directly below its question, any other drawing
// further down.
export const phone = () => {
  const [drawn, secret] = [board(), secretly()];
  const touched = within(drawn, secret);
  const near = within(drawn).size ? drawn : null;
  if (own.gone) return [banner(), title(), drawn, scores(), told()];
  return [
    banner(), title(), nothing(), join(), since(), undoing(), panel(touched), own.asked ? near : null, explained(), question(touched),
    own.asked ? null : near, hand(secret),
    h('div', { class: 'columns', 'data-key': 'columns' },
      h('div', {}, status(), near ? null : drawn),
      h('div', {}, scores(), told(), frame())),
    wishes(), tools(), more(), sleeps(),
  ];
};

export const television = () => [
  banner(), title(), nothing(),
  h('div', { class: 'columns', 'data-key': 'columns' },
    h('div', {}, board(), frame()),
    h('div', {}, question(new Set()), status(), scores(), told())),
  mayStayLit() ? null : h('p', { class: 'tag', 'data-key': 'sleeps' }, words('sleeps_board')),
];
