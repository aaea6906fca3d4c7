// The page of a phone or a television: it draws the received state and sends the player's answers.

import { isFlawed, whole } from './asking.js';
import { sound, stayLit, touched as unlock, turnSound } from './awake.js';
import { load } from './drawing.js';
import { listen, post } from './line.js';
import { answerable, isFresh, isOfTurn, looks, mine, model, own, take, words } from './model.js';
import { start as sortAndDate } from './read.js';
import { announce, keepFocus, say as speak } from './reader.js';
import { h, morph } from './tree.js';
import { phone, secretly, television } from './views.js';

const main = document.getElementById('main');
const CHECK = 250;
const PRESS = 160000;  // time (ms) within which the table must press OK for a new phone
const UNREAD = 450;  // time (ms) for which a new question accepts no answer, as it cannot have been read
const views = { phone, board: television };
let scheduled = false;
let wasMine = mine();
let news = [];  // events since the last drawing
let goal = null;  // element that gets the focus at the next drawing
let touched = null;

const stood = {};
const unread = {};  // functions that stop the running timers, by place

// A question that has just appeared or moved accepts no answer: it may be the second half of a double
// tap.
function guard(place, id, ...looks) {
  const now = String([id, ...looks]);
  if (stood[place] === now) return;
  stood[place] = now;
  own.fresh[place] = id;
  unread[place]?.();
  let timer = null;
  const frame = requestAnimationFrame(() => {  // the frame is on the screen
    timer = setTimeout(() => { delete own.fresh[place]; changed(); }, UNREAD);
  });
  unread[place] = () => { cancelAnimationFrame(frame); clearTimeout(timer); };
}

function draw() {
  scheduled = false;
  guard('asked', own.asked?.id);
  guard('ask', model.ask?.id, own.asked?.id, looks(), own.undoing, Boolean(own.explained));
  document.documentElement.dataset.game = model.hello.game ?? '';
  document.title = model.hello.title ?? document.title;
  const fresh = h('main', { id: 'main', 'data-view': model.view, class: own.gone && 'gone' }, views[model.view]());
  const arrived = keepFocus(main, () => morph(main, fresh), goal, touched);
  announce(news, arrived);
  [news, goal] = [[], null];
  if (mine() && !wasMine) { navigator.vibrate?.([60, 40, 60]); sound(); }
  wasMine = mine();
}

// Draw once with the next animation frame: an event arrives as several lines, and drawing each of them
// costs more than waiting for the last.
function changed() {
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(draw);
  }
}

function set(facts, focus = null) {
  Object.assign(own, facts);
  goal = focus ?? goal;
  changed();
}

const KEEPS = new Set(['frame', 'box']);  // events that do not change a hand

async function hear(event) {
  const { commitment } = model.hello;
  take(event);
  if (own.gone || model.hello.commitment !== commitment) close();  // another game, or the seat is lost
  else if (own.open && !KEEPS.has(event.type)) look();
  if (event.type === 'tell') news.push(event.sentence || event.text);
  if (event.type === 'ask' && event.kept) news.push(words('kept'));
  if (event.type === 'news') news.push(words('news'));
  if (event.type === 'hello' || event.type === 'whole') await load();
  changed();
}

const sentence = (error) => error.message || words(`error_${error.code}`);

// The element that opened a form; the focus returns to it.
const opener = (asked) => (asked?.form ? `[data-do="form"][data-value="${asked.form}"]` : '#question');

// Send a request, and take the question that only this phone is asked; a pending question is the table's.
async function say(message) {
  set({ busy: true, error: null, since: null });
  const reply = await post('/do', message);
  const asked = (reply.said ?? []).filter((one) => one.type === 'ask');
  const found = asked.findLast((one) => one.id !== model.ask?.id);
  // The chosen answer stays visible until the next question replaces it.
  const meant = !reply.error && !asked.length && own.asked && isOfTurn(own.asked, model.ask) ? { ...own.asked, meant: true } : null;
  const kept = meant ?? (reply.error && reply.error.code !== 'late' ? own.asked : found ?? null);
  const isNext = kept?.id !== own.asked?.id;
  const focus = !isNext ? null : kept ? '#asked' : opener(own.asked);
  if (isNext && kept) scrollTo({ top: 0 });  // the next question is at the top of the page
  set({ busy: Boolean(meant), asked: kept, error: reply.error ? sentence(reply.error) : null }, focus);
  return reply;
}

// --- The hand, open while it is held ---------------------------------------------------------------

let cover = () => {};  // removes the spoken sentences of a hand
let read = [];  // the spoken sentences of the hand
let looking = false;
let stale = false;  // True if an event arrived after the hand was requested

function open() {
  if (own.open) return;
  set({ open: true, news: false });
  look();
}

// Request the hand again until no event arrives in the meantime.
async function look() {
  stale = true;
  if (looking) return;
  looking = true;
  while (stale && own.open) {
    stale = false;
    uncover(await post('/do', { look: true }));
  }
  looking = false;
}

// Show a hand, and announce it if it differs from the announced one.
function uncover(reply) {
  if (!own.open) return;
  const secret = (reply.said ?? []).find((one) => one.type === 'secret') ?? null;
  set({ secrets: [reply.error ? sentence(reply.error) : secret?.text || words('nothing_secret')], secret, news: false });
  const drawn = [secretly()].flat(9).filter(Boolean).flatMap((one) => [...one.querySelectorAll('.hush')].map((each) => each.textContent));
  const lines = drawn.length ? drawn : own.secrets;
  if (String(lines) === String(read)) return;
  cover();
  read = lines;
  cover = speak(...lines);
}

function close() {
  cover();
  read = [];
  set({ open: false, keep: false, secrets: [], secret: null });
}

const turnOver = () => (own.open ? close() : (set({ keep: true }), open()));

let holder = null;  // the pointer that holds; the uncovered hand may move the page under it

document.addEventListener('pointerdown', (event) => {
  if (!event.target.closest?.('#hold')) return;
  event.preventDefault();
  holder = event.pointerId;
  open();
});

function released(event) {
  if (event.pointerId !== holder) return;
  holder = null;
  const target = event.type === 'pointerup' ? document.elementFromPoint(event.clientX, event.clientY) : null;
  const answer = target?.closest('[data-do="answer"]');
  if (answer && own.open) act(answer);
  if (!own.keep) close();
}
addEventListener('pointerup', released);
addEventListener('pointercancel', released);
// A second finger does not click while the first one holds.
addEventListener('pointerup', (event) => {
  const found = event.isPrimary ? null : event.target.closest?.('[data-do]');
  if (found) act(found);
});
addEventListener('contextmenu', (event) => { if (event.target.closest?.('#hold')) event.preventDefault(); });
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) { changed(); return; }
  close();
  set({ since: model.told.at(-1)?.event_id ?? 0 });
});
addEventListener('pagehide', close);

// --- The focus after a reload ----------------------------------------------------------------------

const COMES_BACK = 'focus';

function comeBackTo(place) {
  try { sessionStorage.setItem(COMES_BACK, place); } catch { /* a browser that stores nothing */ }
}

function cameBack() {
  try {
    const place = sessionStorage.getItem(COMES_BACK);
    sessionStorage.removeItem(COMES_BACK);
    return place;
  } catch { return null; }
}

// --- Touches and keys ------------------------------------------------------------------------------

async function joinAs(name) {
  const code = document.getElementById('code').value;
  if (!code.trim()) { set({ joining: { error: words('type_code') } }, '#code'); return; }
  set({ joining: { name, waiting: true } }, '#waits');
  const reply = await post('/join', { name, code }, PRESS);
  if (reply.ok) { comeBackTo('#question'); location.assign('/'); } else set({ joining: { error: sentence(reply.error), wrong: reply.error.code === 'wrong_code' } }, '#code');
}

const deeds = {
  answer: (value, element) => say({ answer: JSON.parse(value), id: Number(element.dataset.id) }),
  undo: () => { set({ undoing: true }, '#undoing'); scrollTo({ top: 0 }); },
  take_back: () => { set({ undoing: false, tookBack: true }, '#question'); say({ undo: true }); },
  stay: () => set({ undoing: false }, '[data-do="undo"]'),
  seen: () => set({ since: null }, '#question'),
  redo: () => say({ redo: true }),
  why: async () => {
    const reply = await say({ why: true });
    const found = (reply.said ?? []).find((one) => one.type === 'tell');
    if (!found) return;
    const explained = [found.text, found.clause ? `(${found.clause})` : ''].join(' ');
    set({ explained });
    speak(explained);
  },
  type: (letters, element) => {
    const field = element.closest('section').querySelector('input[name=value]');
    field.value = letters;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  },
  understood: () => set({ explained: null }, '[data-do="why"]'),
  keep: () => (own.keep ? close() : (set({ keep: true }), open())),
  form: (name) => say({ fill: name }),
  back: () => say({ fill: own.asked.form, given: own.asked.back }),
  drop: () => set({ asked: null, error: null }, opener(own.asked)),
  join: joinAs,
  leave: async () => {
    const reply = await post('/leave', {});
    if (reply.ok) location.assign('/');
    else set({ error: sentence(reply.error) });
  },
  sound: () => { turnSound(); sound(); changed(); },
  language: async (language) => {
    await post('/language', { language });
    comeBackTo('[data-do="language"]');
    location.reload();
  },
};

// Escape closes the newest panel.
function leave() {
  if (own.undoing) deeds.stay();
  else if (own.asked) deeds.drop();
  else if (own.explained) deeds.understood();
  else if (own.open) close();
}

function act(element) {
  touched = element;
  if (isFresh(Number(element.dataset.id))) return;  // it was drawn before the present question arrived
  if (element.getAttribute('aria-disabled') !== 'true') deeds[element.dataset.do]?.(element.dataset.value, element);
}

document.addEventListener('click', (event) => {
  const found = event.target.closest?.('[data-do]');
  if (found) act(found);
  // A screen reader clicks without a pointer and without a key.
  if (event.target.id === 'hold' && event.detail === 0) turnOver();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') leave();
  if (event.key !== 'Enter' && event.key !== ' ') return;
  if (event.target.id === 'hold') {
    event.preventDefault();
    if (!event.repeat) turnOver();
  } else if (event.target.closest?.('g[data-do]')) {
    event.preventDefault();
    act(event.target.closest('g[data-do]'));
  }
});
document.addEventListener('submit', (event) => {
  event.preventDefault();
  const { form, id } = event.target.dataset;
  if (own.busy || isFlawed() || isFresh(Number(id))) return;
  const typed = event.target.querySelector('input').value.trim();
  if (form === 'rest') say({ answer: whole(answerable()), id: Number(id) });
  if (form === 'number') say({ answer: Number(typed), id: Number(id) });
  if (form === 'word') say({ answer: typed.toUpperCase(), id: Number(id), lang: own.lang });
});

// --- Word look-up while typing ---------------------------------------------------------------------

let later = 0;
function check(typed, wait) {
  clearTimeout(later);
  set({ typed });  // the last verdict stays until the next one, which is announced only if it differs
  later = setTimeout(async () => {
    if (!typed) return;
    const reply = await post('/do', { check: typed, lang: own.lang });
    const found = reply.said?.find((one) => one.type === 'checked');
    if (own.typed === typed) set({ checked: found ? { ...found, word: typed } : null });
  }, wait);
}
document.addEventListener('input', (event) => {
  if ('rest' in event.target.dataset) set({ rest: { of: event.target.dataset.rest, text: event.target.value.trim().toUpperCase() } });
  if ('check' in event.target.dataset) check(event.target.value.trim().toUpperCase(), CHECK);
});
document.addEventListener('change', (event) => {
  if (!event.target.dataset.lang) return;
  own.lang = event.target.value;
  check(own.typed, 0);
});

// --- Start -----------------------------------------------------------------------------------------

const query = new URLSearchParams(location.search);
const code = query.get('c') ?? query.get('C');
if (query.size) history.replaceState(null, '', location.pathname);
await load();
draw();
const place = cameBack();
if (place) (document.querySelector(place) ?? document.querySelector('h1'))?.focus();
addEventListener('pointerdown', unlock);
addEventListener('keydown', unlock);
if (model.view === 'board' || model.me) {
  stayLit();
  document.addEventListener('visibilitychange', stayLit);
}
sortAndDate();
const field = document.getElementById('code');
if (code && field) field.value = code.slice(0, 4);
listen(Boolean(model.me) && model.view === 'phone', hear,
  (trouble) => {
    if (trouble && own.open) close();  // events may have been missed
    if (own.trouble !== trouble) set({ trouble });
  });
