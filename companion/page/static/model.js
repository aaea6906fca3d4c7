// The state of the page: the server's messages, and this phone's input.

export const model = JSON.parse(document.getElementById('model').textContent);

// State of this page only: an open hand, typed letters, errors.
export const own = {
  open: false, keep: false, secrets: [], secret: null, typed: '', rest: {}, checked: null, busy: false, error: null,
  asked: null, fresh: {}, undoing: false, tookBack: false, since: null, gone: false, lang: model.language, joining: null, trouble: '', news: false, explained: null,
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
  gone: () => Object.assign(own, { gone: true }),
  news: () => Object.assign(own, { news: true }),
};

const AGREE = 'agree_undo';

// Return True if the table must agree to an undo of this phone: then another player agrees.
export const isOwnUndo = () => own.tookBack && model.ask?.question === AGREE;

// Return the events since this phone was last used, up to two lines.
export function missed() {
  if (own.since === null) return [];
  const at = model.told.findLastIndex((one) => one.event_id <= own.since);
  return model.told.slice(at + 1).slice(-2);
}

// Return True if this phone's question belongs to the pending question: a confirmation, or the rest of
// a form.
export const isOfTurn = (asked, ask) => !asked.form || asked.form === ask?.form;

export function take(event) {
  const before = model.ask;
  takes[event.type]?.(event);
  if (own.asked?.meant && ['ask', 'over', 'whole'].includes(event.type)) Object.assign(own, { asked: null, busy: false });
  if (model.ask?.id === before?.id) return;
  Object.assign(own, { typed: '', checked: null, error: null, busy: false, undoing: false });
  if (model.ask?.question !== AGREE) own.tookBack = false;
  if (own.asked && isOfTurn(own.asked, before)) own.asked = null;  // it belongs to a question that was answered meanwhile
}

export const words = (key, facts = {}) =>
  (model.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '');

export const called = (key, otherwise = key) => model.state?.named?.[key] ?? otherwise;
export const seat = (who) => model.hello.players.indexOf(who);
export const mine = () => Boolean(model.me && model.ask && (model.ask.who === null || model.ask.who === model.me));
// Return True if the hand is open: its answers are shown with it, so that none of them moves.
export const looks = () => own.secrets.length > 0;
// Return the question that this phone may answer: its own, else the table's; a private one only while
// the hand is open.
export const answerable = () => own.asked ?? (mine() && (!model.ask.private || looks()) ? model.ask : null);
export const toAct = () => model.ask?.who ?? model.state?.to_act ?? null;

// Return True if the question with that number has just appeared.
export const isFresh = (id) => Object.values(own.fresh).includes(id);

// Attributes of a disabled answer: another answer is on its way, or the question is too new.
export const taken = (ask, disabled = false) => ({
  'aria-disabled': (own.busy || disabled || isFresh(ask.id)) && 'true', 'data-fresh': !own.busy && !disabled && isFresh(ask.id),
});
