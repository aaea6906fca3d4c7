// The drawing of the running game, by the game's page.js. If a game has no page.js or its page.js fails,
// plain.js draws the game.

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

// Load the page.js of the running game. Ignore the file if another game has begun in the meantime.
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
