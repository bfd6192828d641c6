/** Small services of the document: one animation frame for all, and writing only what changes. */

const waiting = new Set();

/** Calls `item.render()` in the next animation frame, once, with all others that wait. */
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

/** Sets properties of an element that differ from what it has. */
export function put(element, values) {
  if (!element) return;
  for (const key in values) if (element[key] !== values[key]) element[key] = values[key];
}

/** An element with properties and children. */
export function make(name, values = {}, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}

/** The value of an attribute such as lang or dir at the nearest ancestor, through shadow roots; '' without any. */
export function inherited(element, attribute) {
  for (let node = element; node; node = node.getRootNode().host) {
    const found = node.closest(`[${attribute}]`);
    if (found) return found.getAttribute(attribute);
  }
  return '';
}
