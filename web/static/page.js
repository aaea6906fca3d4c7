// The web page of the box: display, buttons, sounds and voice. The box's program runs in worker.js.
const query = new URLSearchParams(location.search);
const language = query.get("lang") ?? (navigator.language.startsWith("fr") ? "fr" : "en");
const scene = query.get("scene");
const stepped = query.has("step");
const muted = query.has("mute");
const BUTTONS = ["up", "down", "ok", "back", "seat1", "seat2", "seat3", "seat4"];
const KEYS = {
  ArrowUp: "up", k: "up", ArrowDown: "down", j: "down", Enter: "ok", " ": "ok",
  Escape: "back", Backspace: "back", ArrowLeft: "back",
  1: "seat1", 2: "seat2", 3: "seat3", 4: "seat4",
};
const TEXTS = {
  en: {
    loading: "The box starts…", second_tab: "The box is open in another tab. Close that tab, then reload this one.",
    failed: "The box has stopped. Reload the page: no answer is lost.",
    no_scene: "This page knows no such situation.",
    unkept: "This browser keeps no files: games are gone when the page is closed.",
    export: "Save games…", import: "Load games…", erase: "Erase everything…",
    sure: "Erase all games and settings of this browser?", not_games: "This file holds no games of the box.",
    imported: (n) => n === 1 ? "1 game was added." : `${n} games were added.`,
    up: "Up", down: "Down", ok: "OK", back: "BACK", seat: "Seat", display: "Display of the box",
    language: "Français", other: "fr", licences: "Licences",
    without: "In a browser the box has no phones: a page can start no other program.",
  },
  fr: {
    loading: "La boîte démarre…", second_tab: "La boîte est ouverte dans un autre onglet. Fermez-le, puis rechargez cette page.",
    failed: "La boîte s’est arrêtée. Rechargez la page : aucune réponse n’est perdue.",
    no_scene: "Cette page ne connaît pas cette situation.",
    unkept: "Ce navigateur ne garde pas de fichiers : les parties disparaissent quand on ferme la page.",
    export: "Enregistrer les parties…", import: "Charger des parties…", erase: "Tout effacer…",
    sure: "Effacer toutes les parties et tous les réglages de ce navigateur ?", not_games: "Ce fichier ne contient pas de parties de la boîte.",
    imported: (n) => n > 1 ? `${n} parties ont été ajoutées.` : n ? "1 partie a été ajoutée." : "Aucune partie n’a été ajoutée.",
    up: "Haut", down: "Bas", ok: "OK", back: "BACK, retour", seat: "Place", display: "Écran de la boîte",
    language: "English", other: "en", licences: "Licences",
    without: "Dans un navigateur, la boîte n’a pas de téléphones : une page ne peut lancer aucun autre programme.",
  },
}[language === "fr" ? "fr" : "en"];

const canvas = document.querySelector("canvas");
const status = document.querySelector("#status");
const live = document.querySelector("#said");
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
const held = new Set();
let frame = new Uint8Array(1024);
let asked = 0;
let resolveReady;

const companion = (window.companion = {
  ready: new Promise((resolve) => (resolveReady = resolve)),
  error: null,
  said: [],
  sounds: [],
  frame: () => frame.slice(),
  down: (button) => edge(button, true),
  up: (button) => edge(button, false),
  async press(button, ms = 80) {
    await edge(button, true);
    await companion.wait(ms);
    await edge(button, false);
  },
  // With `?step`, the box's clock advances only at edges and in `wait`, and `wait` returns at once.
  wait: (ms) => stepped ? ask({ wait: ms / 1000 }) : new Promise((done) => setTimeout(done, ms)),
  export: () => ask({ export: true }),
  import: (text) => ask({ import: text }),
  erase: () => ask({ erase: true }),
});

function ask(message) {
  const id = ++asked;
  worker.postMessage({ ...message, id });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function edge(button, down) {
  document.querySelector(`[data-button=${button}]`)?.classList.toggle("down", down);
  if (down) held.add(button); else held.delete(button);
  return ask({ edge: { button, down } });
}

function say(text) { status.textContent = text; }

// --- display ---

const context = canvas.getContext("2d");
const image = context.createImageData(128, 64);
const dots = new Uint32Array(image.data.buffer);
const [lit] = new Uint32Array(new Uint8Array([...getComputedStyle(canvas).color.match(/\d+/g).slice(0, 3), 255]).buffer);

function draw() {
  for (let at = 0; at < dots.length; at++)
    dots[at] = (frame[(at >> 10) * 128 + (at & 127)] >> ((at >> 7) & 7)) & 1 ? lit : 0;
  context.putImageData(image, 0, 0);
}

// Make the width a multiple of 128 pixels of the screen, so that every dot has the same size.
function fit() {
  const room = canvas.parentElement.clientWidth * devicePixelRatio;
  const times = Math.max(1, Math.floor(room / 128));
  canvas.style.width = `${(128 * times) / devicePixelRatio}px`;
  canvas.style.setProperty("--dot", `${times / devicePixelRatio}px`);
  canvas.style.setProperty("--gap", `${1 / devicePixelRatio}px`);
  canvas.classList.toggle("fine", times > 2);
}

// --- sounds and voice ---

let audio = null;
const buffers = new Map();

async function play({ number, name, volume }) {
  companion.sounds.push(name);
  if (muted || !volume) return ended(number);
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") await Promise.race([audio.resume(), new Promise((r) => setTimeout(r, 300))]);
    if (audio.state !== "running") return ended(number);
    if (!buffers.has(name)) {
      const file = await fetch(`sounds/${name}.wav`);
      buffers.set(name, await audio.decodeAudioData(await file.arrayBuffer()));
    }
    const source = new AudioBufferSourceNode(audio, { buffer: buffers.get(name) });
    const gain = new GainNode(audio, { gain: (volume / 100) ** 2 });
    source.connect(gain).connect(audio.destination);
    source.onended = () => ended(number);
    source.start();
  } catch { ended(number); }
}

let speed = 160;
let sentence; // global, because Chromium may delete a local sentence and never report its end
window.speechSynthesis?.getVoices(); // the first call starts to load the voices
function speak({ number, text, language: spoken, volume }) {
  companion.said.push({ text, language: spoken });
  live.lang = spoken;
  live.textContent = text;
  const voices = window.speechSynthesis?.getVoices() ?? [];
  const voice = voices.find((one) => one.lang.startsWith(spoken));
  if (muted || !volume || !voice) return ended(number);
  sentence = new SpeechSynthesisUtterance(text);
  Object.assign(sentence, { voice, lang: voice.lang, volume: volume / 100, rate: speed / 160 });
  sentence.onend = sentence.onerror = () => ended(number);
  speechSynthesis.speak(sentence);
}

function ended(number) { worker.postMessage({ ended: number }); }

// --- messages from the box ---

const DO = {
  frame(message) { frame = message.frame; draw(); },
  light({ percent }) { canvas.style.opacity = Math.max(0.15, percent / 100); },
  lamps({ lights }) {
    lights.forEach((light, n) => {
      const lamp = document.querySelector(`[data-lamp="${n}"]`);
      if (lamp) lamp.className = `lamp ${light}`;
    });
  },
  voice(message) { if (message.speed) speed = message.speed; },
  play, speak,
  stop() { window.speechSynthesis?.cancel(); },
  seats(message) {
    if (!seats?.loads) beginSeats(); // a worker that still loads Python uses only the newest message
    seats.first = message.first;
    seats.thread.postMessage(message);
  },
  seat_lines({ number, text }) { seats?.thread.postMessage({ number, text }); },
  seats_end() { endSeats(); },
};

// --- computer players ---

let seats = null; // the worker of the computer players, or null without computer players

function beginSeats() {
  endSeats();
  const begun = seats = { thread: new Worker("seats.js", { type: "module" }), loads: false };
  const ended = () => {
    if (seats !== begun) return;
    endSeats();
    worker.postMessage({ seats: { first: begun.first } });
  };
  begun.thread.onmessage = ({ data }) => {
    begun.loads = Boolean(data.lock);
    if (data.lock) navigator.locks.request(data.lock, ended);
    else worker.postMessage({ seats: data });
  };
  begun.thread.onerror = (event) => { console.error(event.message); ended(); };
}

function endSeats() {
  seats?.thread.terminate();
  seats = null;
}

worker.onmessage = ({ data }) => {
  for (const message of data.messages ?? []) DO[message.kind](message);
  if (data.ready) {
    for (const button of document.querySelectorAll(".files button")) button.disabled = false;
    say(data.kept || query.has("seed") || scene ? "" : TEXTS.unkept);
    resolveReady();
  }
  if (data.error && data.error !== "not_games") { companion.error = TEXTS[data.error] ?? data.error; say(companion.error); resolveReady(); }
  if (data.text) console.error(data.text);
  const call = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.error) call?.reject(new Error(data.text ?? companion.error)); else call?.resolve(data.result);
};
worker.onerror = (event) => { companion.error = TEXTS.failed; say(TEXTS.failed); console.error(event.message); resolveReady(); };

// --- buttons ---

for (const button of BUTTONS) {
  const element = document.querySelector(`[data-button=${button}]`);
  const seat = button.startsWith("seat") ? ` ${button.slice(4)}` : "";
  element.setAttribute("aria-label", (seat ? TEXTS.seat : TEXTS[button]) + seat);
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (event.button === 2) return edge(button, !held.has(button)); // a right click holds the button down until the next right click
    element.setPointerCapture(event.pointerId);
    edge(button, true);
  });
  for (const end of ["pointerup", "pointercancel"])
    element.addEventListener(end, (event) => event.button !== 2 && held.has(button) && edge(button, false));
  element.addEventListener("click", (event) => { if (!event.detail) companion.press(button); });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
// Enter and the space bar press a focused button or link. All other KEYS press the box's buttons.
const isKey = (event) => KEYS[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey
  && !(["Enter", " "].includes(event.key) && event.target.closest("button, a"));
addEventListener("keydown", (event) => {
  if (!isKey(event)) return;
  event.preventDefault();
  if (!event.repeat) edge(KEYS[event.key], true);
});
addEventListener("keyup", (event) => { if (KEYS[event.key] && held.has(KEYS[event.key])) edge(KEYS[event.key], false); });
addEventListener("blur", () => held.forEach((button) => edge(button, false)));
addEventListener("resize", fit);

// --- games as files ---

document.querySelector("#export").onclick = async () => {
  const file = new Blob([await companion.export()], { type: "application/jsonl" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "companion.jsonl" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const chooser = document.querySelector("#file");
document.querySelector("#import").onclick = () => chooser.click();
chooser.onchange = async () => {
  const [file] = chooser.files;
  try {
    if (file) say(TEXTS.imported(await companion.import(await file.text())));
  } catch { say(TEXTS.not_games); }
  chooser.value = "";
};
document.querySelector("#erase").onclick = async () => {
  if (confirm(TEXTS.sure)) { await companion.erase(); location.reload(); }
};

document.documentElement.lang = language;
canvas.setAttribute("aria-label", TEXTS.display);
for (const name of ["export", "import", "erase", "without", "language", "licences"]) document.getElementById(name).textContent = TEXTS[name];
const other = new URLSearchParams([...query, ["lang", TEXTS.other]].filter(([name, value]) => name !== "lang" || value === TEXTS.other));
Object.assign(document.querySelector("#language"), { href: `?${other}`, hreflang: TEXTS.other, lang: TEXTS.other });
document.documentElement.classList.toggle("embedded", parent !== window);
say(TEXTS.loading);
fit();
draw();
worker.postMessage({ start: { language, seed: query.get("seed") ?? scene, scene, stepped } });
if ("serviceWorker" in navigator && location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1")
  navigator.serviceWorker?.register("sw.js");
