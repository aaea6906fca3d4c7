// The page of a phone or television: draws the received state and sends the player's answers.

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
const PRESS = 160000;  // milliseconds for which the page waits until people admit a phone with OK
const UNREAD = 450;  // milliseconds for which a new question accepts no answer, so that players can read it
const views = { phone, board: television };
let scheduled = false;
let wasMine = mine();
let news = [];  // events since the last drawing
let goal = null;  // selector of the element that gets the focus at the next drawing
let touched = null;

const stood = {};
const unread = {};  // functions that stop the timer of a new question, by place on the page

// Block answers to a question that has just appeared or moved, because a tap may be the end of a
// double tap.
function guard(place, id, ...looks) {
  const now = String([id, ...looks]);
  if (stood[place] === now) return;
  stood[place] = now;
  own.fresh[place] = id;
  unread[place]?.();
  let timer = null;
  const frame = requestAnimationFrame(() => {  // start the timer when the browser draws the question
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

// Draw at the next animation frame, so that several messages of one event need one drawing.
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

const KEEPS = new Set(['frame', 'box']);  // types of events that do not change the player's secrets

async function hear(event) {
  const { commitment } = model.hello;
  take(event);
  if (own.gone || model.hello.commitment !== commitment) close();  // cover the secrets after a new game or a lost seat
  else if (own.open && !KEEPS.has(event.type)) look();
  if (event.type === 'tell') news.push(event.sentence || event.text);
  if (event.type === 'ask' && event.kept) news.push(words('kept'));
  if (event.type === 'news') news.push(words('news'));
  if (event.type === 'hello' || event.type === 'whole') await load();
  changed();
}

const sentence = (error) => error.message || words(`error_${error.code}`);

// Return the selector of the element that opened the form of the question `asked`, or of the pending
// question. The focus returns to this element when the form closes.
const opener = (asked) => (asked?.form ? `[data-do="form"][data-value="${asked.form}"]` : '#question');

// Send a request. Store the question in the reply if the box asks only this phone.
async function say(message) {
  set({ busy: true, error: null, since: null });
  const reply = await post('/do', message);
  const asked = (reply.said ?? []).filter((one) => one.type === 'ask');
  const found = asked.findLast((one) => one.id !== model.ask?.id);
  // Keep the chosen answer visible until the next question replaces the old question.
  const meant = !reply.error && !asked.length && own.asked && isOfTurn(own.asked, model.ask) ? { ...own.asked, meant: true } : null;
  const kept = meant ?? (reply.error && reply.error.code !== 'late' ? own.asked : found ?? null);
  const isNext = kept?.id !== own.asked?.id;
  const focus = !isNext ? null : kept ? '#asked' : opener(own.asked);
  if (isNext && kept) scrollTo({ top: 0 });  // show the next question, which is at the top of the page
  set({ busy: Boolean(meant), asked: kept, error: reply.error ? sentence(reply.error) : null }, focus);
  return reply;
}

// --- The secrets, shown while a button is held ---------------------------------------------------------------

let cover = () => {};  // removes the announced secrets from the live region
let read = [];  // the sentences with secrets that the page has announced
let looking = false;
let stale = false;  // true if an event arrived after the request for the secrets

function open() {
  if (own.open) return;
  set({ open: true, news: false });
  look();
}

// Request the player's secrets. Repeat the request if an event arrives before the reply.
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

// Show the secrets in a reply. Announce the secrets if they have changed.
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

let holder = null;  // id of the pointer that holds the button, even if the page moves under the pointer

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
// Treat the end of a second finger's touch as a click, because browsers click only for the first finger.
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
  try { sessionStorage.setItem(COMES_BACK, place); } catch { /* the browser stores no data */ }
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
  const { value: code, maxLength } = document.getElementById('code');
  if (code.trim().length < maxLength) { set({ joining: { error: words('type_code', { n: maxLength }) } }, '#code'); return; }
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
  if (isFresh(Number(element.dataset.id))) return;  // ignore a press on a question that has just appeared
  if (element.getAttribute('aria-disabled') !== 'true') deeds[element.dataset.do]?.(element.dataset.value, element);
}

document.addEventListener('click', (event) => {
  const found = event.target.closest?.('[data-do]');
  if (found) act(found);
  // A click with detail 0 comes from a screen reader.
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
  set({ typed });  // keep the old verdict until the new verdict arrives
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
    if (trouble && own.open) close();  // cover the secrets, because an event may be missing
    if (own.trouble !== trouble) set({ trouble });
  });
