/** Steppers: buttons with a value or a text field, in the order of each look. */

import { arc, upDown } from './glyphs.js';
import { element, entry, setProperty, stepButton, valueGroup } from './parts.js';

/** Which drawing the buttons of a look have. */
const DRAWN_AS = {
  'swiftui/macos': 'appkit', appkit: 'appkit', winui: 'winui', 'winui/source': 'winui',
  gtk: 'gtk', 'gtk/source': 'gtk', adwaita: 'gtk', 'adwaita/source': 'gtk',
  material: 'material', wear: 'material', rpvertical: 'rpvertical',
};

/** Order of the children: "v" value or field, "-" and "+" the buttons, "[-+]" the buttons as one body. */
function order({ look, as, orientation, spinButtons, valueDisplay }) {
  switch (look) {
    case 'winui': case 'winui/source': {
      if (as === 'field' && spinButtons === 'compact') return 'v^';
      if (as === 'field' && spinButtons !== 'inline') return 'v';
      return look === 'winui' ? 'v-+' : 'v+-';
    }
    case 'gtk': case 'gtk/source': return orientation === 'vertical' ? '+v-' : 'v-+';
    case 'adwaita': return '-v+';
    case 'adwaita/source': return 'v-+';
    case 'material': return orientation === 'vertical' ? '+v-' : '-v+';
    case 'wear': return '+v-';
    default: {
      const vertical = look === 'rpvertical' || DRAWN_AS[look] === 'appkit';
      const body = vertical ? '[+-]' : '[-+]';
      if (valueDisplay === 'hidden' || look.startsWith('swiftui')) return body;
      return valueDisplay === 'end' ? `${body}v` : `v${body}`;
    }
  }
}

/** Whether buttons and value are one box with a common border. */
const LINKED = /^(winui|gtk|adwaita|material|wear)/;

export function stepperContent(options) {
  const drawnAs = DRAWN_AS[options.look] ?? 'uikit';
  const minus = stepButton('decrement', drawnAs, options.size);
  const plus = stepButton('increment', drawnAs, options.size);
  const shown = options.as === 'field' ? entry() : valueGroup();
  const divider = element('span', 'divider');
  const incoming = element('span', 'incoming');
  const parts = {
    ...shown.parts, incoming, decrement: minus.made, increment: plus.made, decrementIcon: minus.icon, incrementIcon: plus.icon,
  };
  const signs = order(options);
  const children = [];
  let level = null;

  if (signs.includes('[')) {
    const inside = signs.includes('[-') ? [minus.made, divider, plus.made] : [plus.made, divider, minus.made];
    parts.buttons = element('div', 'buttons', 'buttons', inside);
    parts.divider = divider;
  }
  for (const sign of signs.replace(/\[..\]/, 'b')) {
    if (sign === 'b') children.push(parts.buttons);
    if (sign === 'v') children.push(shown.box);
    if (sign === '-') children.push(minus.made);
    if (sign === '+') children.push(plus.made);
    if (sign === '^') children.push(element('span', '', 'mark', [upDown()]));
  }
  let content = children;
  if (LINKED.test(options.look)) {
    parts.field = element('div', 'field', 'box', children);
    content = [parts.field];
    if (signs === 'v^') {
      parts.flyout = element('div', 'flyout', 'flyout', [plus.made, minus.made]);
      parts.field.append(parts.flyout);
    }
    if (options.look === 'wear') {
      level = arc();
      parts.field.append(level.made);
    }
  } else if (options.as === 'field') {
    parts.field = shown.box;
    shown.box.setAttribute('part', 'field');
  }
  content.push(incoming);
  return {
    content,
    parts,
    inLabel: options.look.startsWith('swiftui') && options.as === 'stepper' && options.valueDisplay !== 'hidden' ? shown.box : null,
    update(model) {
      shown.update(model);
      const still = model.readonly || model.unset;
      minus.made.classList.toggle('off', still || model.canDecrement === false);
      plus.made.classList.toggle('off', still || model.canIncrement === false);
      if (level) setProperty(level.level, 'stroke-dasharray', `${(model.fraction ?? 0) * 100} 200`);
    },
  };
}
