// Functions that build elements and apply the differences between an old and a new page.

const SVG = 'http://www.w3.org/2000/svg';

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) =>
  filled(document.createElement(tag), attributes, children);

export const s = (tag, attributes, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

// `mark` hides its content from screen readers. `hush` shows its content only to screen readers.
export const mark = (...children) => h('span', { 'aria-hidden': 'true' }, children);
export const hush = (...children) => h('span', { class: 'hush' }, children);

const key = (node) => node.nodeType === 1 ? node.nodeName + (node.getAttribute('data-key') ?? '') : node.nodeName;

// Return true for an attribute that only the user changes: the open state of a `details` element.
const isReaders = (element, name) => element.nodeName === 'DETAILS' && name === 'open';

// Change the element `old` until it equals `fresh`. Elements with equal keys are reused, so that the focus,
// a held pointer and an animation continue.
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;  // skip unchanged elements, which are most elements of a page
  if (old.nodeType === 3) {
    old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const known = new Map();
  for (const child of old.childNodes) {
    if (!known.has(key(child))) known.set(key(child), []);
    known.get(key(child)).push(child);
  }
  const pairs = [...fresh.childNodes].map((child) => [child, known.get(key(child))?.shift()]);
  for (const rest of known.values()) rest.forEach((child) => child.remove());  // remove old elements before new elements are inserted
  let place = old.firstChild;
  for (const [child, same] of pairs) {
    if (!same) {
      old.insertBefore(child, place);
      continue;
    }
    morph(same, child);
    if (same === place) place = place.nextSibling;
    else old.insertBefore(same, place);
  }
}
