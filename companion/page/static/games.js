// Which drawing belongs to which game.

import * as barneyMiller from './barney-miller.js';
import * as baretta from './baretta.js';
import * as kojak from './kojak.js';
import * as plain from './plain.js';
import * as probe from './probe.js';

const GAMES = { 'barney-miller': barneyMiller, baretta, kojak, probe };

export const drawing = (game) => GAMES[game] ?? plain;
