/** One animation frame for all, and writing only what changes. */

const waiting = new Set();

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

/** By the nearest `lang`, through shadow roots. */
export function languageOf(element) {
  for (let node = element; node; node = node.getRootNode().host) {
    const found = node.closest('[lang]');
    if (found?.lang) return found.lang;
  }
  return navigator.language;
}

export const pageLanguage = () => document.documentElement.lang || navigator.language;

export const camel = (name) => name.replace(/-./g, (mark) => mark[1].toUpperCase());
