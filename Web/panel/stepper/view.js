/**
 * The drawing of a control: builds the shadow DOM of a look and writes a model
 * into it. Views have no listeners, no ARIA and no knowledge of the daemon.
 */

import { platformOf } from './looks.js';
import { choiceContent } from './views/choice.js';
import { element, slotted, write } from './views/parts.js';
import { sheet, sheetsFilled } from './views/sheets.js';
import { sliderContent } from './views/slider.js';
import { stepperContent } from './views/step.js';
import { buttonContent, switchContent } from './views/toggle.js';

export { sheet } from './views/sheets.js';

/** The sections of the table that a look is made of, the most general first. */
const CHAIN = {
  'uikit/ios7': 'uikit uikit-ios7', swiftui: 'uikit swiftui', 'swiftui/macos': 'appkit swiftui-macos',
  'winui/source': 'winui winui-source', 'gtk/source': 'gtk gtk-source', adwaita: 'gtk adwaita',
  'adwaita/source': 'gtk adwaita adwaita-source', wear: 'material wear', rpvertical: 'uikit rpvertical',
  slider: 'uikit', picker: 'uikit',
};

const ROWS = /^(swiftui|adwaita)/;

const PRESENTATION_SHEET = {
  slider: 'slider', wheel: 'choice', segmented: 'choice', menu: 'choice', switch: 'toggle', button: 'toggle',
};

const named = (name) => sheet(new URL(`../styles/${name}.css`, import.meta.url));
const looks = sheet(new URL('../looks.css', import.meta.url));
const NAMES = ['base', 'row', 'uikit', 'appkit', 'winui', 'gtk', 'material', 'rpvertical', 'slider', 'choice', 'toggle', 'modes'];
const styles = Object.fromEntries(NAMES.map((name) => [name, named(name)]));
await sheetsFilled();

/** The class names that looks.css and the style sheets select by, for the root of a view or any other element. */
export function lookClasses(look) {
  return `base ${CHAIN[look] ?? look}`;
}

/** The style sheets for any root with the classes of a look that draws none of its presentations. */
export function lookStyles() {
  return [looks, styles.base, styles.modes];
}

function stylesOf({ look, as }, row) {
  const chosen = [looks, styles.base];
  if (as in PRESENTATION_SHEET) chosen.push(styles[PRESENTATION_SHEET[as]]);
  else chosen.push(look === 'rpvertical' ? styles.rpvertical : styles[platformOf(look)]);
  if (row) chosen.push(styles.row);
  return [...chosen, styles.modes];
}

function contentOf(options, platform) {
  switch (options.as) {
    case 'slider': return sliderContent(options);
    case 'wheel': case 'segmented': case 'menu': return choiceContent(options, platform);
    case 'switch': return switchContent(options);
    case 'button': return buttonContent();
    default: return stepperContent(options);
  }
}

/**
 * @param {object} options resolved: look, as, orientation, size, spinButtons, layout, shape, valueDisplay, contrast, choices,
 *   ticks (how many a slider has)
 * @returns {{root: Element, parts: object, styles: CSSStyleSheet[], update: (model: object) => void, wheelIndex?: () => number}}
 */
export function buildView(options) {
  const platform = platformOf(options.look);
  const row = options.layout === 'row' || (ROWS.test(options.look) && options.layout !== 'control');
  const label = slotted('label');
  const subtitle = slotted('subtitle');
  const error = slotted('error');
  const badge = element('span', 'badge');
  const made = contentOf(options, platform);

  const text = element('div', '', 'text', [label.box, badge, subtitle.box]);
  if (options.as === 'button') label.box.remove();
  if (made.inLabel) label.box.after(made.inLabel);
  const main = element('div', '', 'main', made.content);
  const line = element('div', 'row', 'row', [text, main]);
  const drawnLook = options.look === 'rpvertical' && options.as in PRESENTATION_SHEET ? 'uikit' : options.look;
  const root = element('div', 'base', lookClasses(drawnLook), [line, error.box]);
  root.classList.add(options.as);
  root.classList.toggle('in-row', row);
  root.classList.toggle('vertical', options.orientation === 'vertical');
  root.classList.toggle('separated', options.layout === 'separated');
  root.classList.toggle('full', options.shape === 'full');
  root.classList.toggle('original', options.contrast === 'original');
  if (['small', 'mini'].includes(options.size)) root.classList.add(options.size);
  if (options.size === 'compact') root.classList.add('compact-size');
  if (options.spinButtons) root.classList.add(`spin-${options.spinButtons}`);

  const parts = { base: root, row: line, label: label.box, subtitle: subtitle.box, error: error.box, badge, ...made.parts };
  const empty = (box, value) => box.classList.toggle('empty', !value && box.firstChild.assignedNodes().length === 0);
  return {
    root,
    parts,
    styles: stylesOf(options, row),
    wheelIndex: made.wheelIndex,
    update(model) {
      write(label.text, model.label);
      write(subtitle.text, model.subtitle);
      empty(subtitle.box, model.subtitle);
      write(error.text, model.error);
      write(badge, model.badge);
      if (parts.incoming) write(parts.incoming, model.incoming);
      made.update(model);
      if (parts.unit) empty(parts.unit, model.unit);
    },
  };
}
