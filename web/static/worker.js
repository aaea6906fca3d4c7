// The program's thread: loads Python, opens the record, and hands edges and time to the box.
import { loadPyodide } from "./pyodide/pyodide.mjs";

let box = null;
let timer = 0;

const send = (messages) => {
  const out = messages.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
  messages.destroy();
  self.postMessage({ messages: out });
};

// The record's two files; undefined where the browser has none. Throws if another tab holds them.
async function files() {
  if (!navigator.storage?.getDirectory) return undefined;
  const root = await navigator.storage.getDirectory();
  const handles = [];
  for (const name of ["companion-0.record", "companion-1.record"]) {
    const file = await root.getFileHandle(name, { create: true });
    if (!file.createSyncAccessHandle) return undefined;
    handles.push(await file.createSyncAccessHandle());
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
      handles[n].truncate(0);
      handles[n].write(bytes, { at: 0 });
      handles[n].flush();
    },
  };
}

function schedule() {
  clearTimeout(timer);
  const seconds = box.wait;
  if (seconds !== undefined && seconds !== null)
    timer = setTimeout(() => { box.tick(); schedule(); }, Math.ceil(seconds * 1000));
}

async function start({ language, seed, scene, stepped }) {
  const program = fetch("program.zip").then((file) => file.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", self.location).href });
  python.FS.writeFile("/program.zip", new Uint8Array(await program));
  python.runPython("import sys, zipfile; zipfile.ZipFile('/program.zip').extractall('/program'); sys.path.insert(0, '/program')");
  let kept; // undefined is None in Python, null is not
  if (!seed) {
    try { kept = await files(); } catch { return self.postMessage({ error: "second_tab" }); }
  }
  const { started } = python.pyimport("web.box");
  box = started.callKwargs(language, seed ?? "", scene ?? "", send, kept, { stepped });
  self.postMessage({ ready: true, kept: kept !== undefined });
  schedule();
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) return await start(data.start);
    let result;
    if (data.edge) box.edge(data.edge.button, data.edge.down);
    else if (data.wait !== undefined) box.go_by(data.wait);
    else if (data.ended) box.ended(data.ended);
    else if (data.export) result = box.export();
    else if (data.import !== undefined) result = box.take_in(data.import);
    else if (data.erase) result = box.erase();
    if (data.id) self.postMessage({ id: data.id, result });
    schedule();
  } catch (error) {
    const text = String(error);
    self.postMessage({ id: data.id, error: data.import !== undefined ? "not_games" : text.includes("UnknownScene") ? "no_scene" : "failed", text });
  }
};
