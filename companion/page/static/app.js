// A phone, or a television: what is known is drawn, and what a finger does is said.

import { load } from './drawing.js';
import { listen, post } from './line.js';
import { mine, model, own, take, words } from './model.js';
import { start as sortAndDate } from './read.js';
import { h, morph } from './tree.js';
import { phone, television } from './views.js';

const main = document.getElementById('main');
const CHECK = 250;
const views = { phone, board: television };
let scheduled = false;
let wasMine = mine();

function draw() {
  scheduled = false;
  document.documentElement.dataset.game = model.hello.game ?? '';
  morph(main, h('main', { id: 'main', 'data-view': model.view }, views[model.view]()));
  if (mine() && !wasMine) navigator.vibrate?.([60, 40, 60]);
  wasMine = mine();
}

// Drawn with the next picture of the screen, together with all else that has come by then: what
// happens comes in several lines, and to draw each of them costs more than to wait for the last.
function changed() {
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(draw);
  }
}

function set(news) {
  Object.assign(own, news);
  changed();
}

async function hear(event) {
  take(event);
  if (event.type === 'hello' || event.type === 'whole') await load();
  changed();
}

const sentence = (error) => error.message || words(`error_${error.code}`);

// Says something, and takes what this phone alone is asked then; a question that stands is the table's.
async function say(message) {
  set({ busy: true, error: null });
  const reply = await post('/do', message);
  const found = (reply.said ?? []).findLast((one) => one.type === 'ask' && one.id !== model.ask?.id);
  const kept = reply.error && reply.error.code !== 'late' ? own.asked : found ?? null;
  set({ busy: false, asked: kept, error: reply.error ? sentence(reply.error) : null });
  return reply;
}

// --- A hand that is open while a finger holds ------------------------------------------------------

async function open() {
  if (own.open) return;
  set({ open: true, news: false });
  const reply = await post('/do', { look: true });
  const found = (reply.said ?? []).filter((one) => one.type === 'secret').map((one) => one.text);
  set({ secrets: reply.error ? [sentence(reply.error)] : found.length ? found : [words('nothing_secret')] });
}

const close = () => set({ open: false, keep: false, secrets: [] });

let holder = null;  // the finger that holds; what it uncovers may move the page under it

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
// A second finger makes no click while the first one holds.
addEventListener('pointerup', (event) => {
  const touched = event.isPrimary ? null : event.target.closest?.('[data-do]');
  if (touched) act(touched);
});
addEventListener('contextmenu', (event) => { if (event.target.closest?.('#hold')) event.preventDefault(); });
document.addEventListener('visibilitychange', () => { if (document.hidden) close(); });
addEventListener('pagehide', close);

// --- What a finger or a key does -------------------------------------------------------------------

async function joinAs(name) {
  const code = document.getElementById('code').value;
  set({ joining: { name, waiting: true } });
  const reply = await post('/join', { name, code });
  if (reply.ok) location.assign('/');
  else set({ joining: { error: sentence(reply.error) } });
}

const deeds = {
  answer: (value, element) => say({ answer: JSON.parse(value), id: Number(element.dataset.id) }),
  undo: () => say({ undo: true }),
  redo: () => say({ redo: true }),
  why: async () => {
    const reply = await say({ why: true });
    const found = (reply.said ?? []).find((one) => one.type === 'tell');
    if (found) set({ explained: [found.text, found.clause ? `(${found.clause})` : ''].join(' ') });
  },
  understood: () => set({ explained: null }),
  keep: () => (own.keep ? close() : (set({ keep: true }), open())),
  form: (name) => { say({ fill: name }); scrollTo({ top: 0 }); },
  back: () => say({ fill: own.asked.form, given: own.asked.back }),
  drop: () => set({ asked: null, error: null }),
  join: joinAs,
  leave: async () => {
    const reply = await post('/leave', {});
    if (reply.ok) location.assign('/');
    else set({ error: sentence(reply.error) });
  },
  language: async (language) => { await post('/language', { language }); location.reload(); },
};

function act(element) {
  if (!element.disabled) deeds[element.dataset.do]?.(element.dataset.value, element);
}

document.addEventListener('click', (event) => {
  const touched = event.target.closest?.('[data-do]');
  if (touched) act(touched);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  if (event.target.id === 'hold') {
    event.preventDefault();
    if (!event.repeat) own.open ? close() : (set({ keep: true }), open());
  } else if (event.target.closest?.('g[data-do]')) {
    event.preventDefault();
    act(event.target.closest('g[data-do]'));
  }
});
document.addEventListener('submit', (event) => {
  event.preventDefault();
  const { form, id } = event.target.dataset;
  const typed = event.target.querySelector('input').value.trim();
  if (form === 'number') say({ answer: Number(typed), id: Number(id) });
  if (form === 'word') say({ answer: typed.toUpperCase(), id: Number(id), lang: own.lang });
});

// --- A word is looked up while it is typed ---------------------------------------------------------

let later = 0;
function check(typed, wait) {
  clearTimeout(later);
  set({ typed, checked: null });
  later = setTimeout(async () => {
    if (!typed) return;
    const reply = await post('/do', { check: typed, lang: own.lang });
    if (own.typed === typed) set({ checked: reply.said?.find((one) => one.type === 'checked') ?? null });
  }, wait);
}
document.addEventListener('input', (event) => {
  if (event.target.dataset.check) check(event.target.value.trim().toUpperCase(), CHECK);
});
document.addEventListener('change', (event) => {
  if (!event.target.dataset.lang) return;
  own.lang = event.target.value;
  check(own.typed, 0);
});

// --- The beginning ---------------------------------------------------------------------------------

const query = new URLSearchParams(location.search);
const code = query.get('c') ?? query.get('C');
if (query.size) history.replaceState(null, '', location.pathname);
await load();
draw();
sortAndDate();
const field = document.getElementById('code');
if (code && field) field.value = code.slice(0, 4);
listen(Boolean(model.me) && model.view === 'phone', hear,
  (offline) => { if (own.offline !== offline) set({ offline }); });
