/**
 * The drawing of a control: builds the shadow DOM of a look and writes a model
 * into it. Views have no listeners, no ARIA and no knowledge of the daemon.
 */

/** @returns {HTMLElement} an element with a part name, classes and children */
export function element(name, part, children = [], classes = '') {
  const made = document.createElement(name);
  if (part) made.setAttribute('part', part);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

/** A slot whose fallback is a text node that the model is written into. */
export function slotted(name, part) {
  const text = document.createTextNode('');
  const slot = element('slot', '', [text]);
  slot.name = name;
  return { box: element('span', part, [slot]), text };
}

function button(part, glyph) {
  const slot = element('slot', '', [glyph]);
  slot.name = `${part}-icon`;
  const made = element('button', part, [element('span', `${part}-icon`, [slot])]);
  made.type = 'button';
  return made;
}

/**
 * @param {object} options resolved: look, as, orientation, size, spinButtons, layout, shape, valueDisplay, kind, choices
 * @returns {{root: Element, parts: object, styles: CSSStyleSheet[], update: (model: object) => void}}
 */
export function buildView(options) {
  const label = slotted('label', 'label');
  const subtitle = slotted('subtitle', 'subtitle');
  const unit = slotted('unit', 'unit');
  const error = slotted('error', 'error');
  const badge = element('span', 'badge');
  const incoming = element('span', 'incoming');
  const decrement = button('decrement', '−');
  const increment = button('increment', '+');
  const buttons = element('div', 'buttons', [decrement, element('span', 'divider'), increment]);
  const hasField = options.as === 'field';
  const value = element(hasField ? 'input' : 'bdi', hasField ? 'input' : 'value');
  const field = element('div', 'field', [value, unit.box, incoming]);
  const row = element('div', 'row', [label.box, subtitle.box, field, buttons]);
  const root = element('div', 'base', [row, error.box, badge]);
  const parts = {
    base: root, row, label: label.box, subtitle: subtitle.box, field, unit: unit.box, incoming,
    buttons, decrement, increment, error: error.box, badge,
    [hasField ? 'input' : 'value']: value,
  };
  return {
    root,
    parts,
    styles: [],
    update(model) {
      label.text.data = model.label ?? '';
      subtitle.text.data = model.subtitle ?? '';
      unit.text.data = model.unit ?? '';
      error.text.data = model.error ?? '';
      badge.textContent = model.badge ?? '';
      incoming.textContent = model.incoming ?? '';
      const text = model.draft ?? model.text ?? '';
      if (hasField) value.value = text;
      else value.textContent = text;
    },
  };
}
