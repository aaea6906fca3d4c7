// How the game that is played is drawn: by its own page.js, and by the plain table where it has none
// or fails. A game may be anybody's, and no slip in its drawing may take the page away.

import * as plain from './plain.js';
import { model } from './model.js';

let game = {};
let drawn = null;

function dress(url) {
  const worn = document.getElementById('game-style');
  if ((worn?.getAttribute('href') ?? null) === url) return;
  worn?.remove();
  if (!url) return;
  const link = document.createElement('link');
  Object.assign(link, { id: 'game-style', rel: 'stylesheet', href: url });
  document.head.append(link);
}

// Fetches what the game that is played draws itself; another may have begun.
export async function load() {
  const { script = null, style = null } = model.hello.drawing ?? {};
  dress(style);
  if (script === drawn) return;
  [drawn, game] = [script, {}];
  try {
    const found = script ? await import(script) : {};
    if (drawn === script) game = found;
  } catch (error) {
    console.error(`${script}:`, error);
  }
}

const attempt = (part) => (...facts) => {
  if (typeof game[part] === 'function') {
    try {
      return game[part](...facts);
    } catch (error) {
      console.error(`${drawn}, ${part}:`, error);
    }
  }
  return plain[part](...facts);
};

export const board = attempt('board');
export const score = attempt('score');
export const total = attempt('total');
export const note = attempt('note');
export const secret = attempt('secret');
export const hand = attempt('hand');
export const beside = attempt('beside');
export const send = attempt('send');
export const own = attempt('own');
export const areCards = (question) => Boolean(game.cards?.includes(question));
