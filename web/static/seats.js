// The thread of the computer players: a Python of its own, so that no press waits while they think.
import { loadProgram } from "./python.js";

let newest = null; // the newest message that names players: the tokens of earlier ones are not valid
let seats = null;
let due = false;

// A worker releases its lock when it ends in any way. The page waits for the lock.
const lock = `seats ${performance.timeOrigin} ${Math.random()}`;
navigator.locks?.request(lock, () => {
  self.postMessage({ lock });
  return new Promise(() => {});
});

const post = (number, line) => self.postMessage({ number, line });

// An answer waits until all lines have arrived: a question that others followed is not thought about.
function answer() {
  due = false;
  if (!seats.answer_stored_questions()) self.close();
}

async function begin() {
  const { ComputerPlayersInWorker } = (await loadProgram()).pyimport("web.seats");
  seats = ComputerPlayersInWorker(newest.line, newest.first, post);
}

self.onmessage = ({ data }) => {
  if (data.line) {
    if (!newest) begin().catch(reportError); // the page receives the error
    newest = data;
    return;
  }
  seats.store_received_text(data.number, data.text);
  if (!due) setTimeout(answer);
  due = true;
};
