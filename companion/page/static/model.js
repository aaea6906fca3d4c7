// What is known: what the server has told, and what this phone is about to say.

export const model = JSON.parse(document.getElementById('model').textContent);

// What only this page knows: whether a hand is open, what is typed, what went wrong.
export const own = {
  open: false, keep: false, secrets: [], typed: '', checked: null, busy: false, error: null,
  form: null, joining: null, offline: false, news: false, explained: null,
};

const TOLD = 14;

const takes = {
  whole: (event) => Object.assign(model, event),
  hello: (event) => {
    const same = event.commitment === model.hello.commitment;
    Object.assign(model, { hello: event });
    if (!same) Object.assign(model, { state: null, ask: null, over: null, told: [] });
  },
  state: (event) => Object.assign(model, { state: event }),
  ask: (event) => Object.assign(model, { ask: event, over: null }),
  over: (event) => Object.assign(model, { ask: null, over: event }),
  tell: (event) => Object.assign(model, { told: [...model.told, event].slice(-TOLD) }),
  frame: (event) => Object.assign(model, { frame: event.png }),
  box: (event) => Object.assign(model, { awake: event.awake }),
  news: () => Object.assign(own, { news: true }),
};

export function take(event) {
  const before = model.ask?.id;
  takes[event.type]?.(event);
  if (model.ask?.id !== before) Object.assign(own, { typed: '', checked: null, error: null, busy: false });
}

export const words = (key, facts = {}) =>
  (model.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

export const called = (key, otherwise = key) => model.state?.named?.[key] ?? otherwise;
export const seat = (who) => model.hello.players.indexOf(who);
export const mine = () => Boolean(model.me && model.ask && (model.ask.who === null || model.ask.who === model.me));
export const toAct = () => model.ask?.who ?? model.state?.to_act ?? null;
