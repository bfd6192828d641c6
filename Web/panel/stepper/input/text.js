/** The text field: a draft that no change disturbs, and its commit. */
import { schedule } from '../dom.js';

export function bindText(control, on) {
  const { input } = control.view.parts;
  if (control.options.as !== 'field') return;
  let touched = false;
  on(input, 'pointerdown', ({ pointerType }) => {
    touched = pointerType === 'touch';
    input.inputMode = touched && control.opensKeypad ? 'none' : control.inputMode;
  });
  on(input, 'focus', () => {
    if (touched) input.select();
    touched = false;
  });
  on(input, 'beforeinput', (event) => {
    if (!control.writable || (event.data && !control.mayType(event.data))) event.preventDefault();
  });
  on(input, 'input', (event) => {
    event.stopPropagation();
    control.write(input.value);
  });
  on(input, 'change', (event) => event.stopPropagation());
  on(input, 'blur', () => control.draft !== null && (control.error ? control.revert() : control.commit(true)));
  const winui = control.options.look.startsWith('winui');
  on(input, winui ? 'keyup' : 'keydown', ({ key, isComposing }) => key === 'Enter' && !isComposing && control.commit());
  on(input, 'keydown', (event) => {
    if (event.key !== 'Escape' || control.draft === null) return;
    event.preventDefault();
    control.revert();
  });
}

/** What a control with a field has besides: mixed into Control. */
export const Writing = (Base) => class extends Base {
  /** What is typed and not committed; null: nothing. */
  draft = null;
  #before;
  #committing;

  /** The value beside a draft, if it changed since the draft began. */
  get incoming() {
    return this.draft !== null && this.state?.text !== this.#before ? this.shownText : null;
  }

  write(text) {
    if (this.draft === null) this.#before = this.state?.text;
    this.draft = text;
    this.refuse();
    schedule(this);
  }

  revert() {
    this.draft = null;
    this.refuse();
    schedule(this);
  }

  /** Sends the draft; false if it was refused. What is refused at the end (blur) is taken back, its words stay. */
  commit(ends = false) {
    return this.#committing ??= this.#commit(ends).finally(() => { this.#committing = undefined; });
  }

  async #commit(ends) {
    const draft = this.draft;
    if (draft === null) return true;
    const text = this.numbers.parse(draft);
    // NumberBox takes back what it cannot read, without a word.
    if (text === undefined && (this.description.family ?? this.description.profile).startsWith('winui')) {
      this.revert();
      return true;
    }
    try {
      if (text === undefined) throw this.unreadable();
      await this.set({ text });
      if (this.draft === draft) this.draft = null;
      return true;
    } catch (error) {
      this.refuse(error);
      if (ends && this.draft === draft) this.draft = null;
      return false;
    } finally {
      schedule(this);
    }
  }

  get inputMode() {
    const { expressions, digits, minimum } = this.description ?? {};
    if (expressions) return 'text';
    return digits === 0 && minimum >= 0 ? 'numeric' : 'decimal';
  }

  /** Whether a control that filters keys lets these characters through. */
  mayType(text) {
    if (!this.description?.numeric) return true;
    const { decimal, group, grouping, symbol = '', unit, digits, expressions } = this.numbers;
    const marks = [
      ...digits.keys(), ...digits.values(), this.description.digits ? decimal : '', grouping ? group : '',
      this.description.minimum >= 0 ? '' : '-−+', expressions ? '+-−*×/^() ' : '', symbol, unit, symbol || unit ? ' \u00a0' : '',
    ].join('');
    return [...text].every((mark) => marks.includes(mark));
  }
};
