// The connection to the server: events down, JSON up. It comes back by itself, from where it was.

// All times in milliseconds.
const SILENT = 60000;  // without a sign of life after which a connection counts as dead; a sign is due every 25 s
const FIRST = 3000;  // until the first sign of a new connection; twice as long after each failure
const BESIDE = 1000;  // until another connection is made beside one that has given no sign
const ATTEMPTS = 3;  // connections that are made at once: a browser keeps old ones, and these may be dead
const LONGEST = 30000;
const NEWS = 3000;  // until the events must have caught up with an answer
const JUST = 300;  // in which a connection that is still being made is not replaced by another
const TICK = 1000;  // between two looks at the clock
const GAP = 5000;  // between two looks that says that the phone slept
const PATIENCE = 15000;  // until an answer to JSON counts as lost

let sources = [];  // the connections that are being made, or the one that has given a sign of life
let last = '';  // the newest event that was received
let begun = 0;
let heard = false;  // the connection has given a sign of life
let failures = 0;
let ticked = Date.now();
let waiting = null;  // the timer that runs for the connection
let given = null;  // what `listen` was given

// Take events from now on. `report` is called with what is wrong: 'offline', 'full', 'replaced', or '' if nothing is.
export function listen(seated, take, report) {
  given = { seated, take, report };
  document.addEventListener('visibilitychange', () => { if (!document.hidden) renew(); });
  document.addEventListener('resume', renew);
  for (const name of ['pageshow', 'online']) addEventListener(name, renew);
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => { if (!sources.length) renew(); });
  setInterval(tick, TICK);
  open();
}

// A phone that wakes need not tell its pages.
function tick() {
  const slept = Date.now() - ticked > GAP;
  ticked = Date.now();
  if (slept && !document.hidden) renew();
}

// A connection that slept may be dead, and nothing says so.
function renew() {
  if (heard || Date.now() - begun > JUST) open();
}

function open() {
  keep(null);
  begun = Date.now();
  heard = false;
  wait(Math.min(LONGEST, FIRST * 2 ** failures), fail);
  connect();
}

function connect() {
  const query = new URLSearchParams();
  if (given.seated) query.set('seat', '1');
  if (last) query.set('after', last);
  const address = `/events?${query}`;
  const source = new EventSource(address);
  sources.push(source);
  source.onmessage = (event) => {
    note(event);
    given.take(JSON.parse(event.data));
  };
  source.addEventListener('beat', note);
  source.addEventListener('replaced', () => { if (heard) stop('replaced'); });
  source.onerror = () => {
    given.report('offline');
    if (source.readyState === EventSource.CLOSED) ask(source, address);
  };
  setTimeout(() => { if (isSilent(source) && sources.length < ATTEMPTS) connect(); }, BESIDE);
}

function isSilent(source) {
  return !heard && sources.includes(source) && source.readyState !== EventSource.CLOSED;
}

// Close all connections but this one.
function keep(source) {
  for (const each of sources) if (each !== source) each.close();
  sources = source ? [source] : [];
}

function wait(time, then) {
  clearTimeout(waiting);
  waiting = setTimeout(then, time);
}

function note(event) {
  keep(event.target);
  last = event.lastEventId || last;
  failures = 0;
  heard = true;
  given.report('');
  wait(SILENT, fail);
}

function fail(what = 'offline') {
  failures += 1;
  given.report(what);
  open();
}

// End it until somebody comes back to this page.
function stop(what) {
  keep(null);
  clearTimeout(waiting);
  given.report(what);
}

function after(time) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), time);
  return controller.signal;
}

// An event source does not say with which status it was refused.
async function ask(refused, address) {
  const status = await fetch(address, { credentials: 'same-origin', signal: after(PATIENCE) })
    .then((answer) => { answer.body?.cancel(); return answer.status; }, () => 0);
  if (!sources.includes(refused)) return;
  if (status === 401 || status === 403) { location.reload(); return; }
  const what = status === 429 ? 'full' : 'offline';
  given.report(what);
  wait(Math.min(LONGEST, FIRST * 2 ** (failures + 1)), () => fail(what));
}

// The server's newest event is `mark`: a connection that does not bring it in time is dead.
function expect(mark) {
  if (given && isBehind(mark)) setTimeout(() => { if (sources.length && isBehind(mark)) fail(); }, NEWS);
}

function isBehind(mark) {
  const [[epoch, n], [own, at]] = [mark.split('-'), last.split('-')];
  return epoch !== own || Number(n) > Number(at);
}

export async function post(path, message, patience = PATIENCE) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      credentials: 'same-origin',
      signal: after(patience),
    });
    const found = await answer.json();
    if (answer.status === 401) location.reload();
    if (found.mark) expect(found.mark);
    return answer.ok ? found : { error: { code: { 429: 'busy' }[answer.status] ?? 'refused' } };
  } catch {
    return { error: { code: 'offline' } };
  }
}
