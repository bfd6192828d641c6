/** One control on screen: follows its record, and draws it. The element around it is element.js. */
import { Acts } from './acts.js';
import { describe } from './aria.js';
import { camel, schedule, wording } from './dom.js';
import { bindKeys } from './input/keys.js';
import { bindButtons } from './input/press.js';
import { connection } from './link/connection.js';
import { resolveLook, resolvePresentation } from './looks.js';
import { buildView, prepareView } from './view.js';
import { announce, announceChange, prepare } from './words/announcer.js';
import { loadStrings, translated } from './words/strings.js';
import { widestTexts } from './words/widest.js';

/** Milliseconds. */
const BOUNCE = 250, STALE = 60000, RETRY = 1000;
const choice = () => import('./input/choice.js');
/** What a page needs only for some presentations is loaded with the first of them. */
const GESTURES = { wheel: choice, segmented: choice, menu: choice, slider: () => import('./input/slide.js'), field: () => import('./input/field.js') };
const gestures = {};
const DEFAULTS = {
  orientation: 'horizontal', size: 'regular', 'spin-buttons': 'hidden', layout: '', shape: '', contrast: 'aa', 'value-display': 'auto',
};
const FINGER = matchMedia('(pointer: coarse)');
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

function prepareGestures({ as }) {
  return as in GESTURES && !(as in gestures) ? GESTURES[as]().then((module) => { gestures[as] = module; }) : undefined;
}

export class Control extends Acts {
  view;
  options;
  /** The finger's place, 0…1. */
  dragged = null;
  scrolling = false;
  #key;
  #joined;
  #language;
  #bound = new AbortController();
  #stale;
  #room;
  #roomKey;
  #resized = false;
  #redraw = () => schedule(this);

  connect() {
    prepare();
    if (this.name !== this.#joined) this.#forget();
    this.#joined = this.name;
    this.record = connection.records.get(this.name);
    connection.join(this, this.name);
    for (const one of [FINGER, wording]) one.addEventListener('change', this.#redraw);
    this.setFormValue();
    schedule(this);
  }

  disconnect() {
    this.releaseHolds();
    this.field?.taken();
    for (const one of [FINGER, wording]) one.removeEventListener('change', this.#redraw);
    clearTimeout(this.#stale);
    connection.leave(this, this.#joined);
  }

  /** What was of another control: the draft, the error, who repeats. It is drawn anew. */
  #forget() {
    this.reset();
    this.mode = this.wanted = this.#key = undefined;
  }

  /** Whether its targets are those of a finger. */
  get touched() { return { touch: true, visual: false }[this.attribute('hit')] ?? FINGER.matches; }

  get connecting() { return connection.phase === 'connecting'; }

  linked() {
    const { phase } = connection;
    clearTimeout(this.#stale);
    if (phase === 'disconnected') this.#stale = setTimeout(schedule, STALE, this);
    this.emit('stepper-connection', { connected: phase === 'connected' });
    schedule(this);
  }

  /** The control as it is now; undefined: there is none. @param isChange whether its state is another one than before */
  received(record, before, isChange) {
    this.record = record;
    schedule(this);
    this.setFormValue();
    if (!isChange) return;
    const { state } = record, own = this.gestures > 0;
    this.emit('stepper-change', { state, own });
    if (!before) return;
    if (state.limit !== before.limit && state.limit !== 'none' && /continuous|choice/.test(this.kind)) this.#arrive(state.limit);
    if (state.text === before.text) return;
    if (own) this.emit('input');
    else if (this.draft === null) this.refuse();
    this.#announce(own);
  }

  moment(moment) {
    this.emit('stepper-moment', moment);
    const own = moment.hold ? this.ids.has(moment.hold) : this.gestures > 0 && !moment.device;
    if (own) this.play(moment.effect);
  }

  play(effect) {
    const vibrates = this.attribute('haptics', 'auto') !== 'off' && !!navigator.vibrate, sounds = this.attribute('sound') === 'on';
    if (effect !== 'none' && (vibrates || sounds)) import('./feel.js').then(({ play }) => play(effect, vibrates, sounds), () => {});
  }

  #arrive(limit) {
    this.emit('stepper-limit', { limit });
    const side = limit === 'maximum' ? 'increment' : 'decrement';
    if (!this.pressed[side] || this.can(side)) return;
    this.mark(`bounce-${side}`, true);
    setTimeout(() => this.mark(`bounce-${side}`, false), BOUNCE);
  }

  #announce(own) {
    const { announcement, style = 'uikit' } = this.record.accessibility ?? {}, { limit } = this.state;
    const wish = this.attribute('announce', 'auto');
    if (wish === 'off' || (LOOPBACK && this.description.spoken)) return;
    const end = this.kind === 'continuous' && /uikit|slider/.test(style) && /^m/.test(limit) ? this.say(limit) : '';
    if (own || this.host.matches(':focus-within')) {
      if (own && end) announce(end);
    } else if (wish === 'polite' || announcement === 'polite') {
      announceChange(this, [this.label, this.valueText, end].filter(Boolean).join(', '));
    }
  }

  /** A form's reset takes back what is typed; the hardware keeps its value. */
  reset() {
    this.field?.revert();
    this.refuse();
  }

  setFormValue() { this.internals.setFormValue(this.state.text ?? null); }

  /** The part that has role, name and focus. */
  get main() {
    const { input, range, switch: toggle, button, select, wheel, segmented, base } = this.view.parts;
    return range ?? select ?? input ?? toggle ?? button ?? wheel ?? segmented ?? base;
  }

  focus() {
    const { segmented, options } = this.view.parts;
    (segmented ? options.find(({ tabIndex }) => !tabIndex) : this.main)?.focus({ preventScroll: true });
  }

  #resolve() {
    const { kind, choices } = this, { family, profile, minimum, maximum } = this.description;
    const look = resolveLook(family ?? profile, this.attribute('look'));
    const bounded = minimum !== undefined && maximum > minimum;
    const options = { kind, look, choices, as: resolvePresentation(kind, look, this.attribute('as'), choices.length, bounded) };
    for (const name in DEFAULTS) options[camel(name)] = this.attribute(name, DEFAULTS[name]);
    // A finger cannot hover, and has no wheel: the buttons that NumberBox hides are there.
    if (this.touched && !this.host.hasAttribute('spin-buttons')) options.spinButtons = 'inline';
    return options;
  }

  #build(options) {
    this.#bound.abort();
    this.releaseHolds();
    this.#bound = new AbortController();
    this.field = this.describeOptions = undefined;
    this.options = options;
    this.view = buildView(options);
    this.shadow.adoptedStyleSheets = this.view.styles;
    this.shadow.replaceChildren(this.view.root);
    for (const name of ['subtitle', 'error']) this.view.parts[name].id = name;
    const { signal } = this.#bound;
    const on = (target, type, handler, more) => target.addEventListener(type, handler, { ...more, signal });
    bindKeys(this, on);
    bindButtons(this, on);
    gestures[options.as]?.bind(this, on);
    if (!/stepper|field|slider/.test(options.as)) return;
    let wheel;
    const turns = () => { wheel ??= import('./input/wheel.js').then(({ bind }) => signal.aborted || bind(this, on), () => { wheel = undefined; }); };
    for (const type of ['focusin', 'pointerover']) on(this.view.root, type, turns);
  }

  render() {
    if (!this.host.isConnected) return;
    // What cannot be used is not held any more.
    if (this.disabled || this.readonly) this.releaseHolds();
    const options = this.record || !this.options ? this.#resolve() : this.options, key = JSON.stringify(options), focused = this.shadow.activeElement;
    const loading = prepareView(options) ?? prepareGestures(options);
    if (loading) return void loading.then(() => this.render(), () => setTimeout(schedule, RETRY, this));
    if (key !== this.#key) this.#build(options);
    const model = this.#model(), { language } = this;
    if (language !== this.#language) loadStrings(language)?.then(() => schedule(this));
    this.#language = language;
    this.view.update(model);
    describe(this, model);
    this.#states();
    this.#validate();
    if (key !== this.#key && focused) this.focus();
    if (key !== this.#key || this.#resized) this.host.dispatchEvent(new Event('stepper-drawn', { bubbles: true }));
    this.#resized = false;
    this.#key = key;
  }

  #model() {
    const { host, state, description, language, unset, kind } = this;
    const stale = connection.phase === 'disconnected' && performance.now() - connection.since >= STALE;
    const placeholder = host.getAttribute('placeholder') ?? undefined;
    const blank = this.options.as === 'field' ? '' : placeholder ?? '–';
    return {
      label: this.heading, subtitle: this.attribute('subtitle') || (translated(description.subtitles, language) ?? description.subtitle ?? ''),
      text: stale ? '–' : unset ? blank : this.shownText, unit: this.unit, placeholder, room: this.#keepRoom(placeholder ?? '–'),
      value: state.value ?? null, minimum: description.minimum ?? null, maximum: description.maximum ?? null,
      fraction: this.dragged ?? this.fraction, dragging: this.dragged !== null, scrolling: this.scrolling,
      choices: this.options.choices, index: kind === 'choice' ? state.value ?? null : null, on: !!state.value,
      draft: this.draft, incoming: this.field?.incoming, error: this.error, badge: this.#badge, unset,
      canIncrement: this.can('increment'), canDecrement: this.can('decrement'), disabled: this.disabled, readonly: this.readonly,
    };
  }

  /** Not while it is pressed: what is under the finger stays there. */
  #keepRoom(none) {
    if (this.#room && this.holds.size) return this.#room;
    const room = widestTexts(this), text = this.shownText;
    room.numbers.push(none);
    const longest = Math.max(...room.numbers.map(({ length }) => length));
    if (this.kind === 'continuous' && text.length > longest) room.numbers.push(text);
    const key = JSON.stringify(room);
    if (key === this.#roomKey) return this.#room;
    this.#roomKey = key;
    this.#room = room;
    this.#resized = true;
    return room;
  }

  get #badge() {
    // A panel says it once for all its controls.
    if (connection.phase === 'disconnected') return this.host.closest('stepper-panel') ? '' : this.say('offline');
    if (!this.record) return this.connecting ? '' : this.say('missing', { name: this.name });
    return this.absent ? this.say('unavailable') : '';
  }

  get hint() {
    if (this.options.as === 'slider' && matchMedia('(any-pointer: coarse)').matches) return this.say('swipe');
    return this.kind === 'button' && this.state.value ? this.say('pressed') : null;
  }

  #states() {
    const { phase } = connection, { state, kind, record, unset } = this;
    const ends = !!record && /continuous|choice/.test(kind) && !unset;
    const states = {
      connecting: this.connecting, disconnected: phase === 'disconnected', missing: !record && phase === 'connected',
      unavailable: this.absent, disabled: this.disabled, readonly: this.readonly, unset, invalid: this.error !== null,
      'at-minimum': ends && !state.canDecrement, 'at-maximum': ends && !state.canIncrement, draft: this.draft !== null,
      editing: !!state.editing && state.editingOrigin !== 'client', on: kind === 'toggle' && !!state.value,
    };
    for (const name in states) this.mark(name, states[name]);
  }

  #validate() {
    const valueMissing = this.host.required && this.unset, customError = this.fault !== null;
    const message = this.fault ?? (valueMissing ? this.say('required') : '');
    if (message !== this.internals.validationMessage) {
      this.internals.setValidity({ valueMissing, customError }, message, message ? this.main : undefined);
    }
  }
}
