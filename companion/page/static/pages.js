// The start of a page without live updates.

import { post } from './line.js';
import { start } from './read.js';

start();
document.querySelector('[data-do="language"]')?.addEventListener('click', async (event) => {
  await post('/language', { language: event.currentTarget.dataset.value });
  location.reload();
});
