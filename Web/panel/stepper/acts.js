/** What a control does. What is published between begin() and end() is this element's own. */
import { schedule } from './dom.js';
import { Facts } from './facts.js';
import { api } from './link/api.js';
import { connection } from './link/connection.js';
import { Hold } from './link/holds.js';
import { announce } from './words/announcer.js';

/** Holds that a press names as let go: as many as a page may have. */
const MOST_PAST = 10;
/** Milliseconds for which moments of a hold that has ended are awaited. */
const LATE = 500;

export class Acts extends Facts {
  holds = new Set();
  /** Of holds, and of those that ended just now: what the daemon tells of them may come later. */
  ids = new Set();
  gestures = 0;
  pressed = { increment: 0, decrement: 0, push: 0 };
  error = null;
  /** What was chosen and is not answered. */
  wanted;
  #before;
  #turn = Promise.resolve();
  /** The last call that waits for its turn. */
  #waiting;
  #choosing;

  begin() {
    if (!this.gestures) this.#before = this.state.text;
    this.gestures += 1;
    this.refuse();
  }

  end() {
    this.gestures -= 1;
    if (!this.gestures && this.state.text !== this.#before) this.emit('change');
  }

  async call(verb, body) {
    const { epoch } = connection;
    this.begin();
    try {
      const answer = await this.#inTurn(`controls/${encodeURIComponent(this.name)}/${verb}`, body);
      connection.answered(answer.state, epoch);
      return answer;
    } finally {
      this.end();
    }
  }

  /** Calls leave one after the other, for requests may overtake each other; for all sets that wait the newest is sent. */
  #inTurn(path, body) {
    const last = this.#waiting;
    if (path.endsWith('/set') && last?.path === path && ![last.body, body].some(({ ifSequence }) => ifSequence)) {
      last.body = body;
      return last.answer;
    }
    const own = { path, body };
    own.answer = this.#turn.then(() => {
      if (this.#waiting === own) this.#waiting = undefined;
      return api.call(path, own.body);
    });
    this.#turn = own.answer.catch(() => {});
    this.#waiting = own;
    return own.answer;
  }

  /** A refusal is shown. */
  act(verb, body) { return this.call(verb, body).catch((error) => this.refuse(error)); }

  /** What the next tap or key begins from. */
  get chosen() { return this.wanted ?? this.state.value; }

  async choose(value) {
    this.wanted = value;
    const answer = this.#choosing = this.act('set', { value });
    await answer;
    if (this.#choosing === answer) this.wanted = undefined;
  }

  toggle() {
    if (this.writable) this.choose(this.chosen ? 0 : 1);
  }

  /** A draft goes first, and cancels if it is refused. @param decided a promise of whether it is a press; undefined: it is */
  press(action, decided) {
    const then = (act) => (decided ? decided.then((isPress) => isPress && act()) : act());
    if (this.kind !== 'toggle') return this.track({ action }, this.draft === null ? decided : then(() => this.field.commit()));
    then(() => this.toggle());
    return { release() {} };
  }

  /** @param decided a promise of whether it is one; undefined: it is */
  track(what, decided) {
    const { action } = what;
    // Requests may overtake each other: the press names what was let go before it, and does not wait for the answers to that.
    const past = [...this.holds].filter(({ released }) => released).slice(-MOST_PAST);
    const began = past.map((one) => one.began.catch(() => {}));
    const ready = past.length || decided ? Promise.all([decided ?? true, ...began]).then(([isPress]) => isPress) : undefined;
    this.begin();
    this.#draw(action, 1);
    const after = past.length ? { after: past.map(({ id }) => id) } : {};
    const hold = new Hold(this.name, { ...what, ...after }, () => this.#draw(action, -1), ready);
    this.holds.add(hold);
    this.ids.add(hold.id);
    hold.began.then(() => {
      if (hold.mode && hold.mode !== 'set') this.mode = hold.mode;
    }, (error) => this.refuse(error));
    hold.finished.then(() => {
      this.holds.delete(hold);
      setTimeout(() => this.ids.delete(hold.id), LATE);
      this.end();
      schedule(this);
    });
    return hold;
  }

  /** At once: the pressed look does not wait for the daemon. */
  #draw(action, count) {
    if (!(action in this.pressed)) return;
    this.pressed[action] += count;
    this.mark(action === 'push' ? 'pressed' : `pressed-${action}`, this.pressed[action] > 0);
  }

  /** Whether there were any. */
  releaseHolds() {
    for (const hold of this.holds) hold.release();
    return this.holds.size > 0;
  }

  /** Shows and says why something was refused; without an error there is nothing to show any more. */
  refuse(error) {
    // Also where the page says it itself: what was wanted is drawn no longer.
    if (error && !this.emit('stepper-error', { error }, true)) return void schedule(this);
    const text = error ? this.#words(error) : null;
    if (text === this.error) return;
    this.error = text;
    if (text) announce(`${this.label}: ${text}`);
    schedule(this);
  }

  #words({ code, message, parameters, temporary }) {
    if (code === 'Unreadable') return message;
    const { minimum, maximum } = { ...this.description, ...parameters };
    // What has no answer now may have been done all the same.
    const key = temporary ? 'Disconnected' : code !== 'OutOfRange' ? code : minimum === undefined ? 'atMost' : maximum === undefined ? 'atLeast' : code;
    const values = { name: this.label, minimum: this.numbers.format(String(minimum)), maximum: this.numbers.format(String(maximum)) };
    const words = this.say(key, values);
    return words === key ? this.say('refused') : words;
  }

  /** What is wrong with the text that is typed: as long as it stands there. */
  get fault() { return this.draft === null ? null : this.error; }

  mark(name, on) {
    const { states } = this.internals;
    if (states.has(name) !== on) states[on ? 'add' : 'delete'](name);
  }

  emit(type, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }
}
