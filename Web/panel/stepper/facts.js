/** What is known of a control: its element's attributes and the daemon's record. */
import { languageOf } from './dom.js';
import { connection } from './link/connection.js';
import { numbersOf } from './words/numbers.js';
import { say, translated } from './words/strings.js';

export class Facts {
  record;
  /** Its text field, once there is one. */
  field;

  constructor(host, internals, shadow) {
    Object.assign(this, { host, internals, shadow });
  }

  attribute(name, fallback = '') { return this.host.getAttribute(name) ?? fallback; }
  /** What is typed and not committed; null: nothing. */
  get draft() { return this.field?.draft ?? null; }
  get name() { return this.attribute('name'); }
  get state() { return this.record?.state ?? {}; }
  get description() { return this.record?.description ?? {}; }
  get kind() { return this.description.kind ?? 'continuous'; }
  get language() { return languageOf(this.host); }
  get rightToLeft() { return this.host.matches(':dir(rtl)'); }
  get numbers() { return numbersOf(this.description, this.language); }
  get unit() { return this.attribute('unit', this.numbers.unit); }
  get disabled() { return this.host.matches(':disabled') || this.description.enabled === false; }
  get readonly() { return this.host.readonly || this.description.writable === false; }
  get operable() { return connection.phase === 'connected' && !!this.record && !this.disabled; }
  get writable() { return this.operable && !this.readonly; }
  get unset() { return !!this.record && this.state.text === undefined; }
  get absent() { return this.state.live === false && this.description.hasInputs !== false; }
  say(key, values) { return say(this.language, key, values); }

  get title() {
    const { titles, title = this.name } = this.description;
    return this.attribute('label') || (translated(titles, this.language) ?? title);
  }

  /** What is drawn beside the control: a label of the page's own is drawn already. */
  get heading() { return this.internals.labels.length && !this.attribute('label') ? '' : this.title; }

  /** The accessible name. */
  get label() {
    const labels = [...this.internals.labels].map((label) => label.textContent.trim()).join(' ');
    return this.attribute('aria-label') || this.attribute('label') || labels || this.title;
  }

  get choices() {
    const { choices = [], choiceTitles, choiceTranslations, kind } = this.description;
    if (kind !== 'choice') return [];
    return choices.map((name, index) => translated(choiceTranslations?.[index], this.language) ?? choiceTitles?.[index] ?? name);
  }

  get fraction() {
    const { minimum, maximum } = this.description, { value } = this.state;
    if (value === undefined || minimum === undefined || !(maximum > minimum)) return null;
    return Math.min(1, Math.max(0, (value - minimum) / (maximum - minimum)));
  }

  /** Without the unit. */
  get shownText() {
    const { text, value } = this.state, { kind } = this;
    if (text === undefined || kind === 'button') return '';
    if (kind === 'toggle') return this.say(value ? 'on' : 'off');
    return kind === 'choice' ? this.choices[value] ?? text : this.numbers.format(text);
  }

  get valueText() {
    if (this.unset) return this.say('unset');
    return this.record && this.kind === 'continuous' ? this.numbers.speak(this.state.text) : this.shownText;
  }

  /** Who repeats a press: "engine", "step" (nobody) or "none". */
  get hold() {
    if (!this.record || this.readonly) return 'none';
    return this.mode ?? ('enabled' in this.description ? 'engine' : 'step');
  }

  /** Whether an action would do anything now. */
  can(action) {
    if (!this.writable) return false;
    if (this.kind === 'toggle' || /push|reset/.test(action)) return true;
    const up = /increment|maximum/i.test(action), { minimum, maximum, wrap } = this.description;
    if (action.startsWith('to') && (up ? maximum : minimum) === undefined) return false;
    if (this.draft !== null) {
      const { typed } = this.field;
      return wrap || !(up ? typed >= maximum : typed <= minimum);
    }
    return up ? this.state.canIncrement : this.state.canDecrement;
  }
}
