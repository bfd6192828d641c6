/** Steppers: buttons with a value or a text field, in the order of each look. */

import { arc, mark, stepGlyph } from './glyphs.js';
import { element, slotted, valueGroup } from './parts.js';

/** The children in their order: v value or field, - and + the buttons, b both as one body, ^ the mark of a flyout. */
function orderOf({ look, as, orientation, spinButtons, valueDisplay }, own) {
  if (own === 'winui') {
    if (as === 'field' && spinButtons !== 'inline') return spinButtons === 'compact' ? 'v^' : 'v';
    return look === own ? 'v-+' : 'v+-';
  }
  if (/gtk|material/.test(own)) {
    if (look === 'wear' || orientation === 'vertical') return '+v-';
    return own === 'material' || look === 'adwaita' ? '-v+' : 'v-+';
  }
  if (valueDisplay === 'hidden' || (look.startsWith('swiftui') && as === 'stepper')) return 'b';
  return valueDisplay === 'end' ? 'bv' : 'vb';
}

function stepButton(name, glyph) {
  const icon = element('span', `${name}-icon`, [slotted(`${name}-icon`, glyph)], 'icon');
  return [element('button', name, [icon, element('span', '', [], 'layer')], `step ${name}`), icon];
}

export function stepperContent(options, own) {
  const { look, as, size } = options;
  const drawnAs = own === 'appkit' && /small|mini/.test(size) ? size : own;
  const [decrement, decrementIcon] = stepButton('decrement', stepGlyph(drawnAs, false));
  const [increment, incrementIcon] = stepButton('increment', stepGlyph(drawnAs, true));
  const shown = valueGroup(as === 'field');
  const parts = { ...shown.parts, decrement, increment, decrementIcon, incrementIcon };
  const order = orderOf(options, own);
  const divider = element('span', 'divider');
  const body = [decrement, divider, increment];
  const buttons = order.includes('b') && element('div', 'buttons', own === 'uikit' ? body : body.reverse());
  const pieces = { '-': decrement, '+': increment, v: shown.box, b: buttons, '^': element('span', '', [mark(true)], 'mark') };
  let content = [...order].map((sign) => pieces[sign]);
  if (buttons) Object.assign(parts, { buttons, divider });
  if (!buttons) {
    parts.field = element('div', 'field', content, 'box');
    content = [parts.field];
    if (order === 'v^') parts.field.append(parts.flyout = element('div', 'flyout', [increment, decrement]));
  } else if (as === 'field') {
    parts.field = shown.box;
    shown.box.part = 'field';
  }
  const level = look === 'wear' ? arc() : null;
  if (level) parts.field.append(level);
  return {
    content,
    parts,
    inLabel: order === 'b' && options.valueDisplay !== 'hidden' && shown.box,
    update(model) {
      const still = model.readonly || model.unset;
      shown.update(model);
      decrement.classList.toggle('off', still || model.canDecrement === false);
      increment.classList.toggle('off', still || model.canIncrement === false);
      level?.lastChild.setAttribute('stroke-dasharray', `${(model.fraction ?? 0) * 100} 200`);
    },
  };
}
