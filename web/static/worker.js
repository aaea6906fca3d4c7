// The worker of the box loads Python, opens the record, and passes button edges to the box.
import { loadProgram } from "./python.js";

let box = null;
let timer = 0;
let unflushed = null; // the file that was written since the last flush

const TRIES = 10; // tries to open a file, which a closed page may lock briefly
const BETWEEN = 200; // milliseconds between two tries

const send = (messages) => {
  const out = messages.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
  messages.destroy();
  self.postMessage({ messages: out });
};

const isHeld = (error) => error.name === "NoModificationAllowedError";

async function open(file) {
  for (let tries = TRIES; ; tries--) {
    try { return await file.createSyncAccessHandle(); } catch (error) { if (!tries || !isHeld(error)) throw error; }
    await new Promise((later) => setTimeout(later, BETWEEN));
  }
}

// Return the record's two files, or undefined if the browser stores no files. Throw if another tab locks the files.
async function files() {
  if (!navigator.storage?.getDirectory) return undefined;
  const root = await navigator.storage.getDirectory();
  const handles = [];
  for (const name of ["companion-0.record", "companion-1.record"]) {
    const file = await root.getFileHandle(name, { create: true });
    if (!file.createSyncAccessHandle) return undefined;
    handles.push(await open(file));
  }
  return {
    read(n) {
      const bytes = new Uint8Array(handles[n].getSize());
      handles[n].read(bytes, { at: 0 });
      return bytes;
    },
    write(n, contents) {
      const bytes = contents.toJs();
      contents.destroy();
      flush();
      handles[n].write(bytes, { at: 0 });
      if (handles[n].getSize() > bytes.length) handles[n].truncate(bytes.length);
      unflushed = handles[n];
    },
  };
}

// A written file survives the end of the tab. A flushed file also survives a power cut. No frame waits for the flush.
function flush() {
  unflushed?.flush();
  unflushed = null;
}

function rest() {
  flush();
  clearTimeout(timer);
  const seconds = box.seconds_to_tick;
  if (seconds !== undefined && seconds !== null)
    timer = setTimeout(() => { box.tick(); rest(); }, Math.ceil(seconds * 1000));
}

async function start({ language, seed, scene, stepped }) {
  const python = await loadProgram();
  let kept; // Pyodide maps only undefined to None
  if (!seed) {
    try { kept = await files(); } catch (error) {
      if (isHeld(error)) return self.postMessage({ error: "second_tab" });
    } // a private window may forbid files, so the box stores no games
  }
  const { start_box } = python.pyimport("web.box");
  box = start_box.callKwargs(language, seed ?? "", scene ?? "", send, kept, { stepped });
  self.postMessage({ ready: true, kept: kept !== undefined });
  rest();
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) return await start(data.start);
    if (!box) return self.postMessage({ id: data.id }); // ignore requests while the box starts
    let result;
    if (data.edge) box.handle_button_edge(data.edge.button, data.edge.down);
    else if (data.wait !== undefined) box.advance_clock(data.wait);
    else if (data.ended) box.handle_sound_end(data.ended);
    else if (data.seats?.line) box.handle_computer_player_line(data.seats.number, data.seats.line);
    else if (data.seats) box.handle_seat_worker_end(data.seats.first);
    else if (data.export) result = box.export_games();
    else if (data.import !== undefined) result = box.import_games(data.import);
    else if (data.erase) result = box.erase_games_and_settings();
    if (data.id) self.postMessage({ id: data.id, result });
    rest();
  } catch (error) {
    const text = String(error);
    self.postMessage({ id: data.id, error: data.import !== undefined ? "not_games" : text.includes("UnknownScene") ? "no_scene" : "failed", text });
  }
};
