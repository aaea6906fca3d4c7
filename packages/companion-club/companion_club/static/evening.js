// The web pages of an evening: load new data every 20 seconds, and turn the pages on a projector.

import './pages.js';
import { post } from './line.js';
import { start } from './read.js';

const NEW = 20000;
const turning = document.querySelector('[data-seconds]');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let at = 0;
let paused = calm.matches;

function show(step = 0) {
  const leaves = [...document.querySelectorAll('.leaf')];
  at = leaves.length ? (at + step + leaves.length) % leaves.length : 0;
  leaves.forEach((leaf, n) => { leaf.hidden = n !== at; });
}

async function renew() {
  if (document.hidden || document.activeElement?.closest('#live')) return;
  try {
    const answer = await fetch(location.href, { credentials: 'same-origin' });
    if (!answer.ok) return;
    const found = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
    if (!found) { location.reload(); return; }
    document.getElementById('live')?.replaceChildren(...found.childNodes);
    start();
    if (turning) show();
  } catch {
    // No answer from the box: keep the old data.
  }
}

if (document.getElementById('live')) setInterval(renew, NEW);
document.querySelector('[data-do="print"]')?.addEventListener('click', () => print());
if (turning) {
  const pause = turning.querySelector('[data-do="pause"]');
  const mark = () => pause.setAttribute('aria-pressed', String(paused));
  pause.addEventListener('click', () => { paused = !paused; mark(); });
  turning.querySelector('[data-do="back"]').addEventListener('click', () => show(-1));
  turning.querySelector('[data-do="next"]').addEventListener('click', () => show(1));
  setInterval(() => { if (!paused) show(1); }, 1000 * turning.dataset.seconds);
  mark();
  show();
}
document.getElementById('slip')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const found = await post('/evening/slip', { text: form.elements.text.value });
  form.querySelector('.verdict').textContent = found.ok ? form.dataset.taken : form.dataset.wrong;
  if (found.ok) renew();
});
