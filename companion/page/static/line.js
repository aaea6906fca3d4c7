// The connection to the server, which receives events and sends JSON requests.

// All times are in milliseconds.
const SILENT = 60000;  // silence after which the page reconnects; the server sends a heartbeat every 25 s
const FIRST = 3000;  // timeout of the first connection attempt; doubled after each failure
const BESIDE = 1000;  // silence of a new connection after which the page opens another connection
const ATTEMPTS = 3;  // maximum number of simultaneous connections, because a browser may reuse a dead connection
const LONGEST = 30000;
const NEWS = 3000;  // time within which the event that follows an answer must arrive
const JUST = 300;  // minimum age of an opening connection before the page replaces the connection
const TICK = 1000;  // interval between two checks of the clock
const GAP = 5000;  // time between two checks that shows that the phone has slept
const PATIENCE = 15000;  // default timeout of a request

let sources = [];  // the connections that are opening, or the one open connection
let last = '';  // id of the newest received event
let begun = 0;
let heard = false;  // true if an event has arrived on the open connection
let failures = 0;
let ticked = Date.now();
let waiting = null;  // the timer that reports a silent connection
let given = null;  // the arguments of `listen`

// Start receiving events. `take` receives each event. `report` receives the problem of the connection:
// 'offline', 'full', 'replaced', or '' if the connection works.
export function listen(seated, take, report) {
  given = { seated, take, report };
  document.addEventListener('visibilitychange', () => { if (!document.hidden) renew(); });
  document.addEventListener('resume', renew);
  for (const name of ['pageshow', 'online']) addEventListener(name, renew);
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => { if (!sources.length) renew(); });
  setInterval(tick, TICK);
  open();
}

// Reconnect after the phone has slept, because some browsers report no wake-up.
function tick() {
  const slept = Date.now() - ticked > GAP;
  ticked = Date.now();
  if (slept && !document.hidden) renew();
}

// Replace the connection, which may have ended during sleep without an error.
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

// Close all connections except `source`.
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

// Close the connection until the player touches the page.
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

// Request the address again to learn the HTTP status, which an EventSource does not report.
async function ask(refused, address) {
  const status = await fetch(address, { credentials: 'same-origin', signal: after(PATIENCE) })
    .then((answer) => { answer.body?.cancel(); return answer.status; }, () => 0);
  if (!sources.includes(refused)) return;
  if (status === 401 || status === 403) { location.reload(); return; }
  const what = status === 429 ? 'full' : 'offline';
  given.report(what);
  wait(Math.min(LONGEST, FIRST * 2 ** (failures + 1)), () => fail(what));
}

// Reconnect if the server's newest event, with the id `mark`, does not arrive in time.
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
