/** One control on screen: what it knows, what it may do, and what it draws. The element around it is element.js. */
import { describe } from './aria.js';
import { inherited, put, schedule } from './dom.js';
import { play } from './feel.js';
import { bindChoice } from './input/choice.js';
import { bindKeys } from './input/keys.js';
import { bindButtons } from './input/press.js';
import { bindSlider, bindWheel } from './input/slide.js';
import { bindText, Writing } from './input/text.js';
import { bindKeypad } from './input/keypad.js';
import { StepperError, api, pathOf } from './link/api.js';
import { connection } from './link/connection.js';
import { Hold } from './link/holds.js';
import { resolveLook, resolvePresentation } from './looks.js';
import { buildView } from './view.js';
import { announce, announceChange, prepare } from './words/announcer.js';
import { numbersOf } from './words/numbers.js';
import { loadStrings, say, translated } from './words/strings.js';

/** Milliseconds: a bounce; how long a stale value is shown; a wheel's gesture after its last detent. */
const BOUNCE = 250, STALE = 60000, TURN = 350;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(location.hostname);

class Base {
  record;
  view;
  options;
  /** The finger's position on a slider, 0…1; null: none. */
  dragged = null;
  scrolling = false;
  error = null;
  mode;
  #key;
  #bound;
  #gestures = 0;
  #startText;
  #holds = new Set();
  #pressed = { increment: 0, decrement: 0, push: 0 };
  #ticked;
  #stale;

  /** @param {HTMLElement} host @param {ElementInternals} internals @param {ShadowRoot} shadow */
  constructor(host, internals, shadow) {
    Object.assign(this, { host, internals, shadow });
  }

  // Facts

  attribute(name, fallback = '') { return this.host.getAttribute(name) ?? fallback; }
  get name() { return this.attribute('name'); }
  get state() { return this.record?.state; }
  get description() { return this.record?.description; }
  get kind() { return this.description?.kind ?? 'continuous'; }
  get language() { return inherited(this.host, 'lang') || navigator.language; }
  get rightToLeft() { return this.host.matches(':dir(rtl)'); }
  get numbers() { return numbersOf(this.description ?? {}, this.language); }
  get connecting() { return connection.phase === 'connecting'; }
  get disabled() { return this.host.matches(':disabled') || this.description?.enabled === false; }
  get readonly() { return this.host.hasAttribute('readonly') || this.description?.writable === false; }
  get operable() { return connection.phase === 'connected' && !!this.record && !this.disabled; }
  get writable() { return this.operable && !this.readonly; }
  get unset() { return !!this.record && this.kind !== 'button' && this.state.text === undefined; }

  get title() {
    const { titles, title } = this.description ?? {};
    return this.attribute('label') || (translated(titles, this.language) ?? title ?? this.name);
  }

  /** The accessible name. */
  get label() {
    const labels = [...this.internals.labels].map((label) => label.textContent.trim()).join(' ');
    return this.attribute('aria-label') || this.attribute('label') || labels || this.title;
  }

  get choices() {
    const { choices = [], choiceTitles = [], choiceTranslations = [] } = this.description ?? {};
    return choices.map((name, index) => translated(choiceTranslations[index], this.language) ?? choiceTitles[index] ?? name);
  }

  get fraction() {
    const { minimum, maximum } = this.description ?? {};
    const value = this.state?.value;
    if (value === undefined || minimum === undefined || maximum === undefined || maximum <= minimum) return null;
    return Math.min(1, Math.max(0, (value - minimum) / (maximum - minimum)));
  }

  /** The value as people of the language write it, without its unit. */
  get shownText() {
    const { text, value } = this.state ?? {};
    if (text === undefined || this.kind === 'button') return '';
    if (this.kind === 'choice') return this.choices[value] ?? text;
    return this.kind === 'toggle' ? say(this.language, value ? 'on' : 'off') : this.numbers.format(text);
  }

  /** The value as a reader says it. */
  get valueText() {
    if (!this.record || this.kind === 'button') return '';
    if (this.unset) return say(this.language, 'unset');
    return ['choice', 'toggle'].includes(this.kind) ? this.shownText : this.numbers.speak(this.state.text);
  }

  /** "engine", "step", "device" or "none": who repeats a press. */
  get hold() {
    if (!this.record || this.readonly) return 'none';
    return this.mode ?? ('enabled' in this.description ? 'engine' : 'step');
  }

  /** Whether an action would do anything now. */
  can(action) {
    if (!this.writable) return false;
    if (this.draft !== null) return true;
    if (this.kind === 'toggle' || action === 'push' || action === 'reset') return true;
    const up = /increment|maximum/i.test(action);
    if (/^to/.test(action) && this.description[up ? 'maximum' : 'minimum'] === undefined) return false;
    return up ? this.state.canIncrement : this.state.canDecrement;
  }

  // Life

  connect() {
    prepare();
    loadStrings(this.language)?.then(() => schedule(this));
    connection.join(this, this.name);
    this.received(connection.records.get(this.name));
    schedule(this);
  }

  disconnect(name = this.name) {
    this.releaseHolds();
    clearTimeout(this.#stale);
    connection.leave(this, name);
  }

  /** Of the connection: another phase. */
  linked() {
    clearTimeout(this.#stale);
    if (connection.phase === 'disconnected') this.#stale = setTimeout(() => schedule(this), STALE);
    this.#emit('stepper-connection', { connected: connection.phase === 'connected' });
    schedule(this);
  }

  /** Of the connection: the control as it is now; undefined: there is none. */
  received(record, before = this.record?.state) {
    this.record = record;
    schedule(this);
    if (!record) return;
    const { state } = record, own = this.#gestures > 0;
    const moved = !before || state.text !== before.text;
    this.setFormValue();
    if (before && state === before) return;
    this.#emit('stepper-change', { state, own });
    if (own && moved && before) this.#emit('input');
    if (before && state.limit !== before.limit && state.limit !== 'none') this.#arrive(state.limit);
    if (before && moved) {
      if (!own && this.draft === null) this.refuse();
      this.#announce(own);
    }
  }

  /** Of the connection: a moment that can be felt. */
  moment(moment) {
    this.#emit('stepper-moment', moment);
    if (![...this.#holds].some((hold) => hold.id === moment.hold) && !(moment.hold === undefined && this.#gestures && !moment.device)) return;
    this.#play(moment.effect);
  }

  /** A row of the wheel passes. */
  tick(index) {
    if (index !== this.#ticked) this.#play('selection');
    this.#ticked = index;
  }

  #play(effect) {
    play(effect, { vibrates: this.attribute('haptics', 'auto') !== 'off', sounds: this.attribute('sound') === 'on' });
  }

  #arrive(limit) {
    this.#emit('stepper-limit', { limit });
    if (this.kind === 'toggle') return;
    for (const side of ['increment', 'decrement']) {
      const at = side === 'increment' ? 'maximum' : 'minimum';
      if (limit !== at || !this.#pressed[side] || this.can(side)) continue;
      this.#toggle(`bounce-${side}`, true);
      setTimeout(() => this.#toggle(`bounce-${side}`, false), BOUNCE);
    }
  }

  #announce(own) {
    const wish = this.attribute('announce', 'auto');
    const { announcement, style, limit, role } = this.record.accessibility ?? {};
    const focused = this.host.matches(':focus-within');
    if (wish === 'off' || (LOOPBACK && this.description.spoken)) return;
    const ends = (style ? /uikit|slider/.test(style) : role === 'stepper' || limit) && this.kind === 'continuous'
      && ['minimum', 'maximum'].includes(this.state.limit) && say(this.language, this.state.limit);
    if (own || focused) {
      if (ends && own) announce(ends);
    } else if (wish === 'polite' || (wish === 'auto' && announcement === 'polite')) {
      announceChange(this, [this.label, this.valueText, ends].filter(Boolean).join(', '));
    }
  }

  setFormValue() {
    if (!this.host.isConnected) return;
    this.internals.setFormValue(this.state?.text ?? null);
  }

  // Acting. A gesture lasts from begin() to end(); what is published meanwhile is this element's own.

  begin() {
    if (!this.#gestures) this.#startText = this.state?.text;
    this.#gestures += 1;
    this.refuse();
  }

  end() {
    this.#gestures -= 1;
    if (!this.#gestures && this.state?.text !== this.#startText) this.#emit('change');
  }

  /** A call that changes the control; gives the answer, rejects with StepperError. */
  async call(verb, body, milliseconds) {
    const { epoch } = connection;
    this.begin();
    try {
      const answer = await api.call(`${pathOf(this.name)}/${verb}`, body, { milliseconds });
      connection.answered(answer.state, epoch);
      return answer;
    } finally {
      this.end();
    }
  }

  set(body) { return this.call('set', body).then(({ state }) => state); }

  /** As set, by the visitor: a refusal is shown. */
  act(body) { return this.set(body).catch((error) => this.refuse(error)); }

  toggle() {
    if (this.writable) this.act({ value: this.state.value ? 0 : 1 });
  }

  async turn(detents) {
    this.begin();
    await this.call('turn', { detents }).catch((error) => this.refuse(error));
    setTimeout(() => this.end(), TURN);
  }

  /** Presses until the hold is released; a draft goes first, and cancels the press if it is refused. */
  press(action, drawn = action) {
    if (this.kind === 'toggle') {
      this.toggle();
      return { release() {} };
    }
    return this.#track({ action }, drawn, this.draft === null ? undefined : this.commit());
  }

  slide(position) { return this.#track({ position }); }

  #track(what, drawn, after) {
    this.begin();
    this.#draw(drawn, 1);
    const hold = new Hold(this.name, what, () => this.#draw(drawn, -1), after);
    this.#holds.add(hold);
    hold.began.then(() => { this.mode = { step: 'step', engine: 'engine' }[hold.mode] ?? this.mode; schedule(this); }, (error) => this.refuse(error));
    hold.finished.then(() => {
      this.#holds.delete(hold);
      this.end();
    });
    return hold;
  }

  /** Immediately, in this frame: the one thing that is shown before the daemon answers. */
  #draw(action, count) {
    if (!(action in this.#pressed)) return;
    this.#pressed[action] += count;
    this.#toggle(action === 'push' ? 'pressed' : `pressed-${action}`, this.#pressed[action] > 0);
  }

  /** Whether there was one. */
  releaseHolds() {
    for (const hold of this.#holds) hold.release();
    return this.#holds.size > 0;
  }

  // Refusals

  unreadable() {
    const { minimum = -Infinity, maximum = Infinity, digits = 1 } = this.description;
    const value = [1234.5, 12.5, 0.5].find((one) => one >= minimum && one <= maximum) ?? 0;
    const example = this.numbers.format(digits ? value.toFixed(Math.min(9, digits)) : String(Math.trunc(value)));
    return new StepperError('Unreadable', say(this.language, 'unreadable', { example }));
  }

  /** Shows why something was refused; without an error, that nothing is. */
  refuse(error) {
    const text = error ? this.#words(error) : null;
    if (error && !this.#emit('stepper-error', { error }, true)) return;
    if (text === this.error) return;
    this.error = text;
    if (text && this.draft === null) announce(`${this.label}: ${text}`);
    schedule(this);
  }

  #words({ code, message, parameters }) {
    if (code === 'Unreadable') return message;
    const { minimum, maximum } = parameters.minimum === undefined && parameters.maximum === undefined ? this.description : parameters;
    const form = (end) => end !== undefined && this.numbers.format(String(end));
    const key = code !== 'OutOfRange' ? code
      : minimum === undefined ? 'OutOfRangeHigh' : maximum === undefined ? 'OutOfRangeLow' : code;
    const words = say(this.language, key, { name: this.label, minimum: form(minimum), maximum: form(maximum) });
    return words === key ? say(this.language, 'refused') : words;
  }

  // Drawing

  get main() {
    const { input, range, switch: toggle, button, select, wheel, segmented, base } = this.view.parts;
    return input ?? range ?? toggle ?? button ?? select ?? wheel ?? segmented ?? base;
  }

  focus() {
    const { main } = this;
    (main.role === 'radiogroup' ? this.view.parts.options.find((one) => one.tabIndex === 0) : main)?.focus({ preventScroll: true });
  }

  #resolve() {
    const { kind, host } = this;
    const { family, profile, minimum, maximum } = this.description ?? {};
    const look = resolveLook(family ?? profile, this.attribute('look'));
    const choices = this.choices, bounded = minimum !== undefined && maximum > minimum;
    return {
      kind, look, choices, as: resolvePresentation(kind, look, host.getAttribute('as'), choices.length, bounded),
      orientation: this.attribute('orientation', 'horizontal'), size: this.attribute('size', 'regular'),
      spinButtons: this.attribute('spin-buttons', 'hidden'), layout: this.attribute('layout', 'control'),
      shape: this.attribute('shape'), contrast: this.attribute('contrast', 'aa'), valueDisplay: this.attribute('value-display', 'auto'),
    };
  }

  #build(options) {
    const focused = this.shadow.activeElement;
    this.#bound?.abort();
    this.releaseHolds();
    this.#bound = new AbortController();
    this.options = options;
    this.view = buildView(options);
    this.view.look = options.look;
    const { signal } = this.#bound;
    const on = (target, type, handler, more) => target.addEventListener(type, handler, { ...more, signal });
    this.shadow.adoptedStyleSheets = this.view.styles;
    this.shadow.replaceChildren(this.view.root);
    put(this.view.parts.error, { id: 'error' });
    for (const bind of [bindChoice, bindText, bindKeypad, bindKeys, bindButtons, bindSlider, bindWheel]) bind(this, on);
    if (focused) this.#refocus = true;
  }

  #refocus = false;

  render() {
    if (!this.host.isConnected) return;
    const options = this.#resolve(), key = JSON.stringify(options);
    if (key !== this.#key) this.#build(options);
    this.#key = key;
    const model = this.#model();
    this.view.update(model);
    describe(this, model);
    this.#states();
    this.#validate();
    if (this.#refocus) this.focus();
    this.#refocus = false;
  }

  #model() {
    const { host, state, description = {}, language, draft } = this;
    const stale = connection.phase === 'disconnected' && performance.now() - connection.since >= STALE;
    const unit = this.attribute('unit', null);
    const blank = this.attribute('placeholder') || (this.options.as === 'field' ? '' : '–');
    const translatedSubtitle = translated(description.subtitles, language) ?? description.subtitle;
    return {
      label: this.title, subtitle: this.attribute('subtitle') || translatedSubtitle || '', placeholder: host.getAttribute('placeholder') ?? undefined,
      text: stale ? '–' : this.unset ? blank : this.shownText, unit: this.unset || !this.record ? '' : unit ?? this.numbers.unit,
      value: state?.value ?? null, fraction: this.dragged ?? this.fraction, dragging: this.dragged !== null, scrolling: this.scrolling,
      minimum: description.minimum ?? null, maximum: description.maximum ?? null, choices: this.choices,
      index: this.kind === 'choice' ? state?.value ?? null : null, on: !!state?.value, incoming: this.incoming, draft,
      error: this.error, badge: this.#badge(), canIncrement: this.can('increment'), canDecrement: this.can('decrement'),
      unset: this.unset, disabled: this.disabled, readonly: this.readonly,
    };
  }

  #badge() {
    const { language } = this;
    if (connection.phase === 'disconnected') return say(language, 'offline');
    if (!this.record) return this.connecting ? '' : say(language, 'missing', { name: this.name });
    return this.absent ? say(language, 'unavailable') : '';
  }

  get opensKeypad() { return this.attribute('keypad', 'auto') !== 'off'; }

  /** Its devices are not connected. */
  get absent() { return !!this.record && !this.state.live && this.description.hasInputs !== false; }

  /** What a reader says after the value. */
  description_() {
    if (this.options.as === 'slider' && matchMedia('(any-pointer: coarse)').matches) return say(this.language, 'swipe');
    if (this.kind === 'button' && this.state?.value) return say(this.language, 'pressed');
    return null;
  }

  #states() {
    const { phase } = connection, { state, kind } = this;
    const ends = kind !== 'toggle' && kind !== 'button' && !!state && !this.unset;
    const states = {
      connecting: phase === 'connecting', disconnected: phase === 'disconnected',
      missing: !this.record && phase === 'connected', unavailable: this.absent, disabled: this.disabled, readonly: this.readonly,
      'at-minimum': ends && !state.canDecrement, 'at-maximum': ends && !state.canIncrement, unset: this.unset,
      invalid: this.error !== null, editing: !!state?.editing && state.editingOrigin !== 'client', on: kind === 'toggle' && !!state?.value,
      draft: this.draft !== null,
    };
    for (const name in states) this.#toggle(name, states[name]);
  }

  #toggle(name, on) {
    const { states } = this.internals;
    if (states.has(name) !== on) states[on ? 'add' : 'delete'](name);
  }

  #validate() {
    const { internals, main } = this, missing = this.host.required && this.unset;
    const flags = { ...(missing ? { valueMissing: true } : {}), ...(this.error ? { customError: true } : {}) };
    const message = this.error || (missing ? say(this.language, 'required') : '');
    if (message !== internals.validationMessage) internals.setValidity(flags, message, message ? main : undefined);
  }

  #emit(type, detail, cancelable = false) {
    const event = detail ? new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable })
      : new Event(type, { bubbles: true, composed: true });
    return this.host.dispatchEvent(event);
  }
}

export class Control extends Writing(Base) {}
