/** Pieces that several views are made of. */

import { stepGlyph } from './glyphs.js';

/** @returns {HTMLElement} an element with a part name, classes and children */
export function element(name, part = '', classes = part, children = []) {
  const made = document.createElement(name);
  if (part) made.setAttribute('part', part);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

/** A slot whose fallback is a text node that the model is written into. */
export function slotted(name, part = name, tag = 'span') {
  const text = document.createTextNode('');
  const slot = element('slot', '', '', [text]);
  slot.name = name;
  return { box: element(tag, part, part, [slot]), text };
}

/** A slot without a fallback, for images at the ends of a slider. */
export function imageSlot(name) {
  const slot = element('slot');
  slot.name = name;
  return element('span', name, name, [slot]);
}

export function stepButton(part, drawnAs, size) {
  const slot = element('slot', '', '', [stepGlyph(drawnAs, part === 'increment', size)]);
  slot.name = `${part}-icon`;
  const icon = element('span', `${part}-icon`, 'icon', [slot]);
  const made = element('button', part, `step ${part}`, [icon, element('span', '', 'layer')]);
  made.type = 'button';
  return { made, icon };
}

/** Writes a text only if it is another one. */
export function write(node, text) {
  const wanted = text ?? '';
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== wanted) node.data = wanted;
  } else if (node.textContent !== wanted) {
    node.textContent = wanted;
  }
}

/** Writes a property of the style only if it is another one. */
export function setProperty(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/** The value with its unit, and the value that came while a draft was typed. */
export function valueGroup() {
  const value = element('bdi', 'value');
  const unit = slotted('unit');
  const box = element('span', '', 'values', [value, unit.box]);
  return {
    box,
    parts: { value, unit: unit.box },
    update(model) {
      write(value, model.text ?? model.placeholder ?? '–');
      write(unit.text, model.unset ? '' : model.unit);
    },
  };
}

/** The text field with its unit. */
export function entry() {
  const input = element('input', 'input');
  input.type = 'text';
  input.autocomplete = 'off';
  input.spellcheck = false;
  const unit = slotted('unit');
  const box = element('label', '', 'entry', [input, unit.box]);
  return {
    box,
    parts: { input, unit: unit.box },
    update(model) {
      const text = model.draft ?? model.text ?? '';
      if (input.value !== text) input.value = text;
      const placeholder = model.placeholder ?? (model.unset ? '–' : '');
      if (input.placeholder !== placeholder) input.placeholder = placeholder;
      const digits = Math.max(text.length, placeholder.length, 2);
      setProperty(box, '--_digits', String(Math.min(digits, 24)));
      write(unit.text, model.unit);
    },
  };
}
