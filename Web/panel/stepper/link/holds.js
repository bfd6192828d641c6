/** Buttons and thumbs held in the daemon. A release is repeated until it is answered; a press never is, for a late one would begin anew. */
import { api, newName } from './api.js';
import { connection } from './connection.js';

/** Milliseconds. */
const RENEWAL = 300, LEASE = 1000;
const active = new Map();
let answeredAt, timer;

export class Hold {
  id = newName();
  released = false;
  /** Of the answer; mode is "engine", "step" or "set". */
  held;
  mode;
  state;
  #sent = false;
  #ready;
  #release;
  #finish = Promise.withResolvers();

  /** @param what `{action}` or `{position}`, `{after}` @param onend when no longer held @param ready a promise; false cancels */
  constructor(control, what, onend, ready) {
    Object.assign(this, { control, onend });
    this.#ready = ready;
    active.set(this.id, this);
    this.began = this.#press(what);
    this.began.catch(() => {});
    this.finished = this.#finish.promise;
  }

  async #call(path, body, more) {
    const { epoch } = connection;
    const answer = await api.call(`holds${path}`, body, more);
    connection.answered(answer.state, epoch);
    this.state = answer.state ?? this.state;
    return answer;
  }

  async #press(what) {
    if (this.#ready && !await this.#ready) return this.lapse();
    this.#sent = true;
    if (!timer) {
      answeredAt = performance.now();
      timer = setInterval(renew, RENEWAL);
    }
    try {
      const { held, mode } = await this.#call('', { hold: this.id, control: this.control, ...connection.holder, ...what }, { milliseconds: LEASE });
      Object.assign(this, { held, mode });
      if (!held && mode !== 'step') this.#end();
    } catch (error) {
      // Without an answer it may be down all the same.
      if (error.code === 'Disconnected') this.release();
      else this.lapse();
      throw error;
    }
    return this;
  }

  move(position) { return this.#call(`/${this.id}/move`, { position }); }

  release() {
    this.#release ??= this.#letGo().then(this.#finish.resolve);
    return this.finished;
  }

  async #letGo() {
    this.#end();
    // The press is on its way when this goes on: a release that does not wait for the answer to it makes a tap.
    if (!this.#sent) await this.#ready;
    // After the lease it is over without an answer, too. A step that nobody repeats has no release.
    setTimeout(this.#finish.resolve, LEASE);
    for (let pause = 100; this.#sent && this.mode !== 'step'; pause = Math.min(pause * 2, LEASE)) {
      try {
        await this.#call(`/${this.id}/release`, {}, { keepalive: true, milliseconds: LEASE });
        return;
      } catch (error) {
        if (!error.temporary) return;
        await new Promise((resume) => { setTimeout(resume, pause); });
      }
    }
  }

  /** Nothing is left to release. */
  lapse() {
    this.#end();
    this.#finish.resolve();
  }

  #end() {
    active.delete(this.id);
    if (!active.size) timer = clearInterval(timer);
    if (!this.released) this.onend();
    this.released = true;
  }
}

async function renew() {
  if (performance.now() - answeredAt > LEASE) return releaseAll();
  const holds = [...active.values()].filter(({ held, mode }) => held && mode !== 'step');
  try {
    if (holds.length) {
      const { alive } = await api.call('holds/renew', { holds: holds.map(({ id }) => id) }, { milliseconds: LEASE });
      for (const hold of holds) if (!alive.includes(hold.id)) hold.lapse();
    }
    answeredAt = performance.now();
  } catch { /* the next one, or the end of the lease */ }
}

function releaseAll() {
  for (const hold of [...active.values()]) hold.release();
}

for (const type of ['blur', 'pagehide']) addEventListener(type, releaseAll);
document.addEventListener('freeze', releaseAll);
document.addEventListener('visibilitychange', () => document.hidden && releaseAll());
