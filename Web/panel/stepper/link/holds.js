/**
 * Buttons and thumbs that are held in the daemon. All holds of the document are renewed in one call; whatever ends
 * one (finger, blur, a hidden page, silence) releases it, and a release is repeated until it is answered. A press
 * never is: one that comes late must not begin anew.
 */
import { api } from './api.js';
import { connection } from './connection.js';

/** Milliseconds: between renewals; after so long without an answer all is released. */
const RENEWAL = 300, LEASE = 1000;
const active = new Map();
let answeredAt = 0;
let timer;

/** 22 characters of base64url; `randomUUID` would need a secure context. */
function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (mark) => ({ '+': '-', '/': '_' })[mark] ?? '');
}

export class Hold {
  id = newID();
  released = false;
  /** Of the answer: whether the engine holds; "engine", "step" or "set"; the state. */
  held;
  mode;
  state;
  #onend;
  #sent = false;
  #release;
  #finish = Promise.withResolvers();
  /** Resolves when nothing of it is under way any more. */
  finished = this.#finish.promise;
  /** Resolves with this hold when the daemon has answered; rejects with StepperError. */
  began;

  /**
   * @param {object} what `{action}` or `{position}`
   * @param onend is called once, when it is no longer held
   * @param {Promise<boolean>} [after] is waited for; false cancels the press
   */
  constructor(control, what, onend, after) {
    this.control = control;
    this.#onend = onend;
    active.set(this.id, this);
    this.began = this.#press(what, after);
    this.began.catch(() => {});
  }

  async #press(what, after) {
    if (after && !await after) return this.lapse();
    this.#sent = true;
    if (!timer) {
      answeredAt = performance.now();
      timer = setInterval(renew, RENEWAL);
    }
    const epoch = connection.epoch;
    try {
      const answer = await api.call('holds', { hold: this.id, control: this.control, ...what }, { milliseconds: LEASE });
      Object.assign(this, { held: answer.held, mode: answer.mode, state: answer.state });
      connection.answered(answer.state, epoch);
      if (!answer.held) this.#end();
    } catch (error) {
      // Without an answer it may be down all the same.
      if (error.code === 'Disconnected') this.release();
      else this.lapse();
      throw error;
    }
    return this;
  }

  /** The latest position; answered with the state. */
  async move(position) {
    const epoch = connection.epoch;
    connection.answered((await api.call(`holds/${this.id}/move`, { position })).state, epoch);
  }

  /** Lets go; kept when the daemon has answered. */
  release() {
    this.#release ??= this.#letGo().then(this.#finish.resolve);
    return this.finished;
  }

  async #letGo() {
    active.delete(this.id);
    this.#end();
    if (!this.#sent) await this.began;
    if (!this.#sent) return;
    const epoch = connection.epoch;
    for (let pause = 100; ; pause = Math.min(pause * 2, LEASE)) {
      try {
        const { state } = await api.call(`holds/${this.id}/release`, {}, { keepalive: true, milliseconds: LEASE });
        connection.answered(state, epoch);
        this.state = state ?? this.state;
        return;
      } catch (error) {
        if (!error.temporary) return;
        await new Promise((resume) => { setTimeout(resume, pause); });
      }
    }
  }

  /** It was refused, or the server no longer knows it: nothing is left to release. */
  lapse() {
    active.delete(this.id);
    this.#end();
    this.#finish.resolve();
  }

  #end() {
    if (!active.size) timer = clearInterval(timer);
    if (this.released) return;
    this.released = true;
    this.#onend?.(this);
  }
}

async function renew() {
  if (performance.now() - answeredAt > LEASE) return releaseAll();
  const holds = [...active.values()].filter((hold) => hold.held && hold.mode !== 'step');
  if (holds.length) {
    try {
      const { alive } = await api.call('holds/renew', { holds: holds.map((hold) => hold.id) }, { milliseconds: LEASE });
      for (const hold of holds) if (!alive.includes(hold.id)) hold.lapse();
    } catch {
      return;
    }
  }
  answeredAt = performance.now();
}

/** Lets go of everything in this document. */
export function releaseAll() {
  for (const hold of [...active.values()]) hold.release();
}

for (const type of ['blur', 'pagehide']) addEventListener(type, releaseAll);
document.addEventListener('freeze', releaseAll);
document.addEventListener('visibilitychange', () => document.hidden && releaseAll());
