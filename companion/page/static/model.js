// The state of the page: the latest messages of the server, and the input on this phone.

export const model = JSON.parse(document.getElementById('model').textContent);

// The state that only this phone has, such as typed letters, errors and shown secrets.
export const own = {
  open: false, keep: false, secrets: [], secret: null, typed: '', rest: {}, checked: null, busy: false, error: null,
  asked: null, fresh: {}, undoing: false, tookBack: false, since: null, gone: '', lang: model.language, joining: null, trouble: '', news: false, explained: null,
};

const TOLD = 14;

const takes = {
  whole: (event) => Object.assign(model, event),
  hello: (event) => {
    const same = event.commitment === model.hello.commitment && event.lang === model.hello.lang;
    Object.assign(model, { hello: event });
    if (!same) Object.assign(model, { state: null, ask: null, offers: null, over: null, told: [] });
  },
  state: (event) => Object.assign(model, { state: event }),
  ask: (event) => Object.assign(model, { ask: event, offers: null, over: null }),
  offers: (event) => Object.assign(model, { offers: event }),
  over: (event) => Object.assign(model, { ask: null, offers: null, over: event }),
  tell: (event) => Object.assign(model, { told: [...model.told, event].slice(-TOLD) }),
  frame: (event) => Object.assign(model, { frame: event.png }),
  box: (event) => Object.assign(model, { awake: event.awake }),
  gone: (event) => Object.assign(own, { gone: event.why }),
  news: () => Object.assign(own, { news: true }),
};

const AGREE = 'agree_undo';

// Return true if another player must agree to an undo that this phone has requested. The box refuses a `yes` of this
// phone, and the page hides this choice.
export const isOwnUndo = () => own.tookBack && model.ask?.question === AGREE;

// Return the newest two facts since the player last looked at this phone.
export function missed() {
  if (own.since === null) return [];
  const at = model.told.findLastIndex((one) => one.event_id <= own.since);
  return model.told.slice(at + 1).slice(-2);
}

// Return true if `asked` belongs to the pending question `ask`, as a confirmation or a part of its form.
export const isOfTurn = (asked, ask) => !asked.form || asked.form === ask?.form;

export function take(event) {
  const before = model.ask;
  takes[event.type]?.(event);
  if (own.asked?.meant && ['ask', 'over', 'whole'].includes(event.type)) Object.assign(own, { asked: null, busy: false });
  if (model.ask?.id === before?.id) return;
  Object.assign(own, { typed: '', checked: null, error: null, busy: false, undoing: false });
  if (model.ask?.question !== AGREE) own.tookBack = false;
  if (own.asked && isOfTurn(own.asked, before)) own.asked = null;  // drop a question whose pending question has been answered
}

export const words = (key, facts = {}) =>
  (model.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

export const called = (key, otherwise = key) => model.state?.named?.[key] ?? otherwise;
export const seat = (who) => model.hello.players.indexOf(who);
export const mine = () => Boolean(model.me && model.ask && (model.ask.who === null || model.ask.who === model.me));
// Return true if the page shows the player's secrets.
export const looks = () => own.secrets.length > 0;
// Return the question that this phone can answer: its own question, or else the pending question. A
// player can answer a private question only while the page shows the secrets.
export const answerable = () => own.asked ?? (mine() && (!model.ask.private || looks()) ? model.ask : null);
export const toAct = () => model.ask?.who ?? model.state?.to_act ?? null;

// Return true if the question with number `id` has just appeared.
export const isFresh = (id) => Object.values(own.fresh).includes(id);

// Return attributes that disable an answer while a request runs or the question is too new.
export const taken = (ask, disabled = false) => ({
  'aria-disabled': (own.busy || disabled || isFresh(ask.id)) && 'true', 'data-fresh': !own.busy && !disabled && isFresh(ask.id),
});
