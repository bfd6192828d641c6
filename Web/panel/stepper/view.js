/** The drawing of a control: the shadow DOM of a look, and a model written into it. Web/looks/README.md has the contract. */

import { platformOf } from './looks.js';
import { element, textPart, write } from './views/parts.js';
import { stepperContent } from './views/step.js';

/** What draws the presentations that not every page has, and their modules. */
const CONTENT = {};
const slider = () => import('./views/slider.js'), toggle = () => import('./views/toggle.js'), choice = () => import('./views/choice.js');
const MODULES = { slider, switch: toggle, button: toggle, wheel: choice, segmented: choice, menu: choice };
const FETCH_LIMIT = 3000;
const filled = [];

/** A constructed style sheet for every shadow root, filled when its file is there. */
export function sheet(url) {
  const made = new CSSStyleSheet();
  filled.push(fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT) })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((css) => made.replaceSync(css))
    .catch((problem) => console.error(`stepper.js: ${url}: ${problem}`)));
  return made;
}

const named = (name) => sheet(new URL(`../${name}.css`, import.meta.url));
const looks = named('looks');
const styles = {};
for (const name of 'base row uikit appkit winui gtk material rpvertical slider choice toggle modes'.split(' ')) {
  styles[name] = named(`styles/${name}`);
}
await Promise.all(filled);

/** The classes by which looks.css selects: of a view's root, or of any other element. */
export function lookClasses(look) {
  const own = /slider|picker/.test(look) ? [] : [look.split('/')[0], look.replace('/', '-')];
  return [...new Set(['base', platformOf(look), ...own])].join(' ');
}

/** A promise of what buildView needs for a presentation; undefined: it is there. */
export function prepareView(as) {
  if (as in CONTENT || !(as in MODULES)) return undefined;
  return MODULES[as]().then(({ content }) => { Object.assign(CONTENT, content); });
}

/** Draws what has been prepared. */
export function buildView(options) {
  const { as, layout } = options;
  const look = options.look === 'rpvertical' && as in MODULES ? 'uikit' : options.look;
  const own = look === 'rpvertical' ? look : platformOf(look);
  const isRow = layout === 'row' || (/^(swiftui|adwaita)/.test(look) && layout !== 'control');
  const made = (CONTENT[as] ?? stepperContent)(options, own);
  const [label, subtitle, error] = ['label', 'subtitle', 'error'].map(textPart);
  const [badge, incoming] = ['badge', 'incoming'].map((name) => element('span', name));
  const text = element('div', '', [made.parts.label ? '' : label.box, made.inLabel || '', badge, subtitle.box], 'text');
  const row = element('div', 'row', [text, element('div', '', [...made.content, incoming], 'main')]);
  const variants = ['size', 'spinButtons', 'orientation', 'shape', 'contrast'].map((name) => `${name}-${options[name]}`);
  const root = element('div', 'base', [row, error.box], [lookClasses(look), as, `layout-${isRow ? 'row' : layout}`, ...variants].join(' '));
  const kinds = as in MODULES ? [styles.slider, styles.choice, styles.toggle] : [styles[own]];
  return {
    root,
    parts: { base: root, row, label: label.box, subtitle: subtitle.box, error: error.box, badge, incoming, ...made.parts },
    styles: [looks, styles.base, ...kinds, ...(isRow ? [styles.row] : []), styles.modes],
    wheelIndex: made.wheelIndex,
    update(model) {
      label.write(model.label);
      subtitle.write(model.subtitle);
      error.write(model.error);
      write(badge, model.badge);
      write(incoming, model.incoming);
      made.update(model);
    },
  };
}
