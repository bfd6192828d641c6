/** The drawing of a control: the shadow DOM of a look, and a model written into it. Web/looks/README.md has the contract. */

import { rules } from './files.js';
import { platformOf } from './looks.js';
import { element, textPart, write } from './views/parts.js';
import { stepperContent } from './views/step.js';

/** What draws the presentations that not every page has, and their modules. */
const CONTENT = {};
const slider = () => import('./views/slider.js'), toggle = () => import('./views/toggle.js'), choice = () => import('./views/choice.js');
const MODULES = { slider, switch: toggle, button: toggle, wheel: choice, segmented: choice, menu: choice };
/** Their sheets; a stepper has that of its look. */
const SHEETS = { slider: 'slider', switch: 'toggle', button: 'toggle', wheel: 'choice', segmented: 'choice', menu: 'choice' };
/** Milliseconds after which a file that failed is asked for again. */
const AGAIN = 1000;
/** By sheet, the promise of its rules, until they are there. */
const filling = new Map();

/** A constructed style sheet for every shadow root, filled when its file is there. */
export function sheet(name, made = new CSSStyleSheet()) {
  filling.set(made, fill(name, made).then(() => filling.delete(made)));
  return made;
}

async function fill(name, made) {
  for (let fails = 0; ; fails += 1) {
    try {
      return made.replaceSync(await rules(name));
    } catch ({ message }) {
      if (!fails) console.error(`stepper.js: ${name}.css: ${message}`);
    }
    await new Promise((resume) => { setTimeout(resume, AGAIN); });
  }
}

/** One that is empty until the media query matches. */
function seldom(name, query) {
  const made = new CSSStyleSheet(), media = matchMedia(query);
  const look = () => media.matches && sheet(name, made);
  media.addEventListener('change', look);
  look();
  return made;
}

const general = [sheet('looks'), ...(CSS.supports('color', 'light-dark(#000, #fff)') ? [] : [sheet('looks-schemes')]), sheet('styles/base')];
const last = [seldom('styles/more-contrast', '(prefers-contrast: more)'), seldom('styles/forced-colors', '(forced-colors: active)')];
/** What the first control waits for. */
const first = [...general, ...last.filter((one) => filling.has(one))];
/** The sheets of presentations and looks, by name. */
const styles = {};

/** What decides the drawing of `options`: whose stepper it is, whether it is a form row, the names of its sheets. */
function design({ as, look, layout }) {
  const shown = look === 'rpvertical' && as in MODULES ? 'uikit' : look;
  const own = shown === 'rpvertical' ? shown : platformOf(shown);
  const isRow = layout === 'row' || (/^(swiftui|adwaita)/.test(shown) && layout !== 'control');
  return { look: shown, own, isRow, names: [SHEETS[as] ?? own, ...(isRow ? ['row'] : [])] };
}

/** The classes by which looks.css selects: of a view's root, or of any other element. */
export function lookClasses(look) {
  const own = /slider|picker/.test(look) ? [] : [look.split('/')[0], look.replace('/', '-')];
  return [...new Set(['base', platformOf(look), ...own])].join(' ');
}

/** A promise of what buildView needs for these options; undefined: it is there. */
export function prepareView(options) {
  const { as } = options, own = design(options).names.map((name) => (styles[name] ??= sheet(`styles/${name}`)));
  const waits = [...first, ...own].map((one) => filling.get(one)).filter(Boolean);
  if (as in MODULES && !(as in CONTENT)) waits.push(MODULES[as]().then(({ content }) => { Object.assign(CONTENT, content); }));
  return waits.length ? Promise.all(waits) : undefined;
}

/** Draws what has been prepared. */
export function buildView(options) {
  const { as, layout } = options, { look, own, isRow, names } = design(options);
  const made = (CONTENT[as] ?? stepperContent)(options, own);
  const [label, subtitle, error] = ['label', 'subtitle', 'error'].map(textPart);
  const [badge, incoming] = ['badge', 'incoming'].map((name) => element('span', name));
  const text = element('div', 'text', [made.parts.label ? '' : label.box, made.inLabel || '', badge, subtitle.box]);
  const row = element('div', 'row', [text, element('div', 'main', [...made.content, incoming])]);
  const variants = ['size', 'spinButtons', 'orientation', 'shape', 'contrast'].map((name) => `${name}-${options[name]}`);
  const root = element('div', 'base', [row, error.box], [lookClasses(look), as, `layout-${isRow ? 'row' : layout}`, ...variants].join(' '));
  return {
    root,
    parts: { base: root, row, label: label.box, subtitle: subtitle.box, error: error.box, badge, incoming, ...made.parts },
    styles: [...general, ...names.map((name) => styles[name]), ...last],
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
