/** One animation frame for all, and writing only what changes. */

const waiting = new Set(), tags = new Map();

/** `item.render()` in the next frame, once. */
export function schedule(item) {
  if (!waiting.size) requestAnimationFrame(flush);
  waiting.add(item);
}

function flush() {
  const items = [...waiting];
  waiting.clear();
  for (const item of items) {
    try {
      item.render();
    } catch (error) {
      reportError(error);
    }
  }
}

export const listen = (target, type, handler) => target.addEventListener(type, handler);

/** Sets the properties that differ. */
export function put(element, values) {
  for (const key in values) if (element[key] !== values[key]) element[key] = values[key];
}

/** Sets attributes; null removes. */
export function tie(element, values) {
  for (const name in values) {
    const value = values[name];
    if (element.getAttribute(name) === value) continue;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

export function make(name, values, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}

/** The tag of a language as the standard writes it; undefined: it is none, or longer than the server takes. */
function tagOf(text) {
  if (!tags.has(text)) {
    try {
      tags.set(text, Intl.getCanonicalLocales(text.replaceAll('_', '-')).find(({ length }) => length <= 64));
    } catch {
      tags.set(text, undefined);
    }
  }
  return tags.get(text);
}

/** By the nearest `lang`, through shadow roots. */
export function languageOf(element) {
  for (let node = element; node; node = node.getRootNode().host) {
    const found = tagOf(node.closest('[lang]')?.lang ?? '');
    if (found) return found;
  }
  return navigator.language;
}

export const pageLanguage = () => tagOf(document.documentElement.lang) ?? navigator.language;

/** Tells "change" when an element of the document gets another language or direction. */
export const wording = new EventTarget();
new MutationObserver(() => wording.dispatchEvent(new Event('change'))).observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });

export const camel = (name) => name.replace(/-./g, (mark) => mark[1].toUpperCase());
