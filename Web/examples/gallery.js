/**
 * Every look in every state, drawn by the views alone: no daemon, no elements.
 * Parameters, lists separated by commas: look, as, state, variant, scheme (light, dark), contrast=original, hit=touch|visual, dir=rtl,
 * scale, text (percent), plain (samples only), row (in rows).
 */
import { buildView, lookClasses, prepareView } from '/stepper/view.js';
import { LOOKS, resolvePresentation } from '/stepper/looks.js';

const asked = new URLSearchParams(location.search);
const list = (name, otherwise) => (asked.has(name) ? asked.get(name).split(',') : otherwise);

class LookSample extends HTMLElement {
  #internals = this.attachInternals();
  view = null;

  draw(options, model, states) {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.view = buildView(options);
    root.adoptedStyleSheets = this.view.styles;
    root.replaceChildren(this.view.root);
    for (const state of states) this.#internals.states.add(state);
    this.describe(options, model, states);
    this.view.update(model);
  }

  /** What the elements do: names, roles, one tab stop. */
  describe(options, model, states) {
    const { base, decrement, increment, input, range, wheel, segmented, options: choices } = this.view.parts;
    for (const [button, name] of [[decrement, 'Decrease'], [increment, 'Increase']]) {
      if (!button) continue;
      button.tabIndex = -1;
      button.setAttribute('aria-label', `${name} ${model.label}`);
      button.setAttribute('aria-disabled', String(button === decrement ? model.canDecrement === false : model.canIncrement === false));
    }
    if (states.includes('disabled') || states.includes('disconnected')) {
      base.setAttribute('role', 'group');
      base.setAttribute('aria-disabled', 'true');
    }
    if (options.as === 'stepper') {
      base.tabIndex = 0;
      base.setAttribute('role', 'spinbutton');
      base.setAttribute('aria-label', model.label);
      base.setAttribute('aria-valuetext', model.text ?? 'no value');
    }
    for (const named of [input, range, wheel, segmented, this.view.parts.switch]) named?.setAttribute('aria-label', model.label);
    if (options.as === 'field') input.setAttribute('role', 'spinbutton');
    if (range) {
      Object.assign(range, { min: 0, max: 100, step: 'any' });
      range.value = String((model.fraction ?? 0) * 100);
    }
    if (wheel) wheel.setAttribute('role', 'listbox');
    if (segmented) segmented.setAttribute('role', 'radiogroup');
    if (options.as === 'wheel' || options.as === 'segmented') {
      choices.forEach((choice, at) => {
        choice.setAttribute('role', wheel ? 'option' : 'radio');
        choice.setAttribute(wheel ? 'aria-selected' : 'aria-checked', String(at === model.index));
        choice.tabIndex = !wheel && at === Math.max(model.index, 0) ? 0 : -1;
      });
      if (wheel) wheel.tabIndex = 0;
    }
    const toggle = this.view.parts.switch;
    toggle?.setAttribute('role', 'switch');
    toggle?.setAttribute('aria-checked', String(model.on));
  }
}
customElements.define('look-sample', LookSample);

const VOLUME = {
  label: 'Volume', subtitle: null, text: '30', unit: '%', value: 30, fraction: 0.3, minimum: 0, maximum: 100, canIncrement: true, canDecrement: true,
};
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const STATES = {
  normal: {},
  pressed: { states: ['pressed-increment', 'pressed'] },
  limit: { model: { text: '100', value: 100, fraction: 1, canIncrement: false }, states: ['at-maximum'] },
  minimum: { model: { text: '0', value: 0, fraction: 0, canDecrement: false }, states: ['at-minimum'] },
  disabled: { states: ['disabled'] },
  unset: { model: { text: null, value: null, fraction: null, unset: true, index: -1, on: false, placeholder: null }, states: ['unset'] },
  readonly: { model: { readonly: true }, states: ['readonly'] },
  offline: { model: { badge: 'offline' }, states: ['disconnected'] },
  editing: { model: { text: '31', value: 31, fraction: 0.31 }, states: ['editing'] },
  unavailable: { states: ['unavailable'] },
  incoming: { model: { draft: '4', incoming: '32' } },
  error: { model: { error: '120 is above the maximum of 100.', draft: '120' }, states: ['invalid'] },
  subtitle: { model: { subtitle: 'Speakers in the hall' } },
  missing: { model: { label: 'volume', error: 'no control volume' }, states: ['missing', 'invalid'] },
};

/** Variants of a look beside its own presentation: name → options, and what its model differs in. */
function variants(look) {
  const kinds = {
    slider: { as: 'slider' },
    'slider ticks': { as: 'slider', ticks: 11 },
    switch: { as: 'switch', model: { label: 'Lamp', on: true, text: 'on', unit: null } },
    'switch off': { as: 'switch', model: { label: 'Lamp', on: false, text: 'off', unit: null } },
    button: { as: 'button', model: { label: 'Ring the bell' } },
    'button on': { as: 'button', model: { label: 'Ring the bell', on: true }, states: ['pressed'] },
    segmented: { as: 'segmented', choices: ['Low', 'Medium', 'High', 'Full'], model: { label: 'Fan', index: 1, text: 'Medium', unit: null } },
    menu: { as: 'menu', choices: DAYS, model: { label: 'Day', index: 2, text: 'Wednesday', unit: null } },
    wheel: { as: 'wheel', choices: DAYS, model: { label: 'Day', index: 2, text: 'Wednesday', unit: null } },
  };
  const own = {
    appkit: { small: { size: 'small' }, mini: { size: 'mini' }, field: { as: 'field' }, 'field small': { as: 'field', size: 'small' }, 'field mini': { as: 'field', size: 'mini' } },
    winui: {
      hidden: {}, 'spin compact': { spinButtons: 'compact' }, inline: { spinButtons: 'inline' }, 'size compact': { size: 'compact', spinButtons: 'inline' },
    },
    'winui/source': { inline: { spinButtons: 'inline' }, 'spin compact': { spinButtons: 'compact' } },
    gtk: { vertical: { orientation: 'vertical' } },
    'gtk/source': { vertical: { orientation: 'vertical' } },
    material: { separated: { layout: 'separated' }, full: { layout: 'separated', shape: 'full' } },
    slider: {}, picker: {},
  }[look];
  const platform = ['uikit', 'appkit', 'winui', 'gtk', 'material'].includes(look);
  if (look === 'slider') return { 'slider vertical': { as: 'slider', orientation: 'vertical' } };
  return { ...own, ...(platform ? kinds : {}) };
}

function sample(look, scheme, name, state, variant = {}) {
  const base = look === 'picker'
    ? { kind: 'choice', as: 'wheel', choices: DAYS, model: { label: 'Day', index: 2, text: 'Wednesday', unit: null } } : {};
  const given = { ...base, ...variant };
  const as = given.as ?? resolvePresentation('continuous', look, asked.get('as'), 0, true);
  const options = {
    orientation: 'horizontal', kind: 'continuous', look, valueDisplay: 'auto', contrast: asked.get('contrast') ?? 'aa',
    layout: asked.has('row') ? 'row' : undefined, ...given, as,
  };
  const model = { ...VOLUME, ...given.model, ...STATES[state].model };
  const made = document.createElement('look-sample');
  made.id = [look, name, scheme].join('.').replaceAll(/[/ ]/g, '-');
  made.dataset.state = state;
  made.setAttribute('scheme', scheme);
  for (const key of ['contrast', 'hit']) if (asked.has(key)) made.setAttribute(key, asked.get(key));
  const finish = async () => {
    await prepareView(options);
    made.draw(options, model, [...(STATES[state].states ?? []), ...(given.states ?? [])]);
  };
  const line = document.createElement('div');
  line.className = 'sample';
  const caption = document.createElement('span');
  caption.className = 'name';
  caption.textContent = name;
  line.append(caption, made);
  if (/^(swiftui|adwaita)/.test(look)) return { line: made, finish };
  return { line, finish };
}

function ground(look, scheme) {
  const made = document.createElement('section');
  made.className = `ground ${scheme} ${lookClasses(look)}`;
  const rows = asked.has('row') || /^(swiftui|adwaita)/.test(look);
  made.classList.toggle('list', rows);
  made.id = [look, scheme].join('.').replaceAll('/', '-');
  const title = document.createElement('h2');
  title.textContent = look;
  const card = document.createElement('div');
  card.className = 'card';
  const samples = [];
  const mainStates = look === 'picker' ? ['normal', 'disabled', 'offline'] : Object.keys(STATES);
  for (const state of list('state', mainStates)) samples.push(sample(look, scheme, state, state));
  if (!asked.has('state') || asked.has('variant')) {
    for (const [name, variant] of Object.entries(variants(look))) {
      if (asked.has('variant') && !list('variant').includes(name)) continue;
      samples.push(sample(look, scheme, name, list('state', ['normal'])[0], variant));
    }
  }
  card.append(...samples.map(({ line }) => line));
  made.append(title, card);
  return { made, samples };
}

const main = document.querySelector('main');
const kept = [];
if (asked.has('dir')) document.documentElement.dir = asked.get('dir');
if (asked.has('scale')) document.body.style.setProperty('--stepper-scale', asked.get('scale'));
if (asked.has('text')) document.documentElement.style.fontSize = `${asked.get('text')}%`;
document.body.classList.toggle('plain', asked.has('plain'));
for (const look of list('look', LOOKS)) {
  if (!LOOKS.includes(look)) continue;
  const section = document.createElement('div');
  section.className = 'look';
  for (const scheme of list('scheme', ['light', 'dark'])) {
    const { made, samples } = ground(look, scheme);
    section.append(made);
    kept.push(...samples);
  }
  main.append(section);
}
await Promise.all(kept.map(({ finish }) => finish()));
document.documentElement.dataset.ready = 'true';
