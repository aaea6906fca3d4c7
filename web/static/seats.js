// The worker of the computer players has its own Python, so that no press waits for a computer player.
import { loadProgram } from "./python.js";

let newest = null; // the newest message that assigns seats; the tokens in earlier messages are not valid
let seats = null;
let due = false;

// The browser releases the lock when this worker ends for any reason. The page waits for the lock.
const lock = `seats ${performance.timeOrigin} ${Math.random()}`;
navigator.locks?.request(lock, () => {
  self.postMessage({ lock });
  return new Promise(() => {});
});

const post = (number, line) => self.postMessage({ number, line });

// Answer after all waiting lines have arrived, so that the players skip questions that are out of date.
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
