// The line to the server: events down, JSON up. It comes back by itself, from where it was.

const STALE = 70000;
let source = null;
let last = '';
let heard = 0;
let failures = 0;

export function listen(seated, take, offline) {
  const open = () => {
    source?.close();
    const query = new URLSearchParams();
    if (seated) query.set('seat', '1');
    if (last) query.set('after', last);
    source = new EventSource(`/events?${query}`);
    heard = Date.now();
    source.onmessage = (event) => {
      last = event.lastEventId || last;
      heard = Date.now();
      failures = 0;
      offline(false);
      take(JSON.parse(event.data));
    };
    source.addEventListener('beat', () => { heard = Date.now(); failures = 0; offline(false); });
    source.onerror = () => {
      offline(true);
      if (source.readyState !== EventSource.CLOSED) return;
      failures += 1;
      if (failures === 3) location.reload();
      else setTimeout(open, Math.min(30000, 1000 * 2 ** failures));
    };
  };
  document.addEventListener('visibilitychange', () => {
    const stale = Date.now() - heard > STALE || source.readyState === EventSource.CLOSED;
    if (!document.hidden && stale) open();
  });
  addEventListener('online', open);
  open();
}

export async function post(path, message) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      credentials: 'same-origin',
    });
    const found = await answer.json();
    if (answer.status === 401) location.reload();
    return answer.ok ? found : { error: { code: 'refused' } };
  } catch {
    return { error: { code: 'offline' } };
  }
}
