/** A draft that no change disturbs, its commit and its refusal. */
import { Acts } from '../acts.js';
import { schedule } from '../dom.js';

const reading = () => import('../words/reading.js');

export class Writing extends Acts {
  /** Whether the keypad is open, which has the focus then. */
  keypad = false;
  #before;
  #committing;

  get opensKeypad() { return this.attribute('keypad', 'auto') !== 'off'; }

  get inputMode() {
    const { expressions, digits, minimum } = this.description;
    if (expressions) return 'text';
    return digits === 0 && minimum >= 0 ? 'numeric' : 'decimal';
  }

  /** The value that came while a draft is typed. */
  get incoming() {
    return this.draft !== null && this.state.text !== this.#before ? this.shownText : null;
  }

  write(text) {
    if (this.draft === null) this.#before = this.state.text;
    this.draft = text;
    this.refuse();
    schedule(this);
  }

  revert() {
    this.draft = null;
    this.refuse();
    schedule(this);
  }

  /** The focus goes: a draft is committed; what is refused is taken back, its words stay. */
  async leave() {
    if (this.keypad || this.draft === null) return;
    const { draft, error } = this;
    if (error) this.revert();
    else if (!await this.commit() && this.draft === draft) this.draft = null;
    schedule(this);
  }

  /** Sends the draft; false if it was refused. */
  commit() {
    this.#committing ??= this.#commit().finally(() => {
      this.#committing = undefined;
      schedule(this);
    });
    return this.#committing;
  }

  async #commit() {
    const { draft, description } = this;
    if (draft === null) return true;
    try {
      const text = (await reading()).read(this.numbers, draft, description.expressions);
      // NumberBox takes back what it cannot read, without a word.
      if (text === undefined && !(description.family ?? description.profile).startsWith('winui')) throw this.unreadable();
      if (text !== undefined) await this.call('set', { text });
      if (this.draft === draft) this.draft = null;
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  /** Whether a control that filters keys lets these characters through. */
  mayType(text) {
    const { numeric, digits, minimum, expressions } = this.description;
    if (!numeric) return true;
    const { decimal, group, grouping, symbol, unit } = this.numbers;
    const marks = [
      '0123456789', ...this.numbers.digits, digits ? decimal : '', grouping ? group : '', minimum >= 0 ? '' : '-−+',
      expressions ? '+-−*×/^() ' : '', symbol, unit, symbol || unit ? ' \u00a0' : '',
    ].join('');
    return [...text].every((mark) => marks.includes(mark));
  }
}
