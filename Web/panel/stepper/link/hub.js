/**
 * Follows the controls for all documents of a browser, by one event stream. Runs in the worker that they share, in one of them
 * for all, or in each for itself: see source.js.
 *
 * A document says `{from, wants}` with the names of its controls, or null for nothing more, at the first time and in answer to
 * each beat, so that one that is gone is noticed; or `{from, restart}`. With the first `wants` may come a `list` of all controls,
 * which it had in an answer: the stream goes on from there. It is told what the server says, as `{names, type, data}`, with the
 * names that are followed, and `to` where it is for one alone; "lost", with a problem or without; and "beat". A snapshot for one
 * that comes while the stream is lost has `isFormer`.
 */
import { changed, recordsOf } from './records.js';

/** Milliseconds. */
const BEAT = 1000, SILENCE = 5000, RETRY = 1000, GONE = 10_000, LOCKED = 10_000;
/** What a subscription may name: 64 names of 255 bytes, in a request of 16 KiB; in all fewer bytes where one has * or ?. */
const NAMES = /^([!-+--~]{1,255}(,|$)){0,64}$/, MOST = 4096, MOST_WILD = 256;

export class Hub {
  #base;
  #send;
  /** By name: what each wants, and when it was heard. */
  #documents = new Map();
  /** undefined: nobody wants anything. */
  #stream;
  #timer;

  constructor(base, send) {
    this.#base = base;
    this.#send = send;
    this.#timer = setInterval(() => this.#beat(), BEAT);
    send({ type: 'beat' });
  }

  receive({ from, wants, restart, list }) {
    if (restart) return this.#stream?.open();
    if (!wants) return this.#forget(from);
    const isNew = this.#documents.get(from)?.wants.join() !== wants.join();
    this.#documents.set(from, { wants, heard: performance.now() });
    this.#stream ??= new Stream(this.#base, this.#send, () => this.#names, list);
    if (isNew) this.#stream.add(from, wants);
    return undefined;
  }

  close() {
    clearInterval(this.#timer);
    for (const name of this.#documents.keys()) this.#forget(name);
  }

  /** All controls where one document wants them, or the server does not take what they want. */
  get #names() {
    const names = [...new Set([...this.#documents.values()].flatMap(({ wants }) => wants))].sort(), text = names.join();
    return NAMES.test(text) && text.length <= (/[*?]/.test(text) ? MOST_WILD : MOST) && !names.includes('*') ? names : ['*'];
  }

  #forget(name) {
    this.#documents.delete(name);
    if (this.#documents.size) return;
    this.#stream?.end();
    this.#stream = undefined;
  }

  #beat() {
    const now = performance.now();
    for (const [name, { heard }] of this.#documents) if (now - heard > GONE) this.#forget(name);
    this.#stream?.supervise(now);
    this.#send({ type: 'beat' });
  }
}

/** The event stream, and what it told. */
class Stream {
  #base;
  #send;
  /** Gives the names that documents want. */
  #wanted;
  #names = [];
  #source;
  #opening;
  #hasEnded = false;
  #heard = 0;
  /** The id of the last event, and the names that it was of. */
  #last;
  /** By control; undefined: nothing was told yet. */
  #records;
  #instance;
  /** Why it is lost, perhaps without words; undefined: it is not. */
  #lost;

  constructor(base, send, wanted, list) {
    this.#base = base;
    this.#send = (type, data, to) => send({ names: this.#names, type, data, to });
    this.#wanted = wanted;
    if (!list) return;
    this.#names = ['*'];
    this.#last = `${encodeURIComponent(list.instance)}:${list.sequence}`;
    this.#keep('snapshot', list);
    this.#plan(0);
  }

  /** One more document, or other names of one. It is told what is known, if that is all it wants. */
  add(document, wants) {
    if (!this.#names.includes('*') && !wants.every((name) => this.#names.includes(name))) return this.#plan(0);
    const controls = this.#records && [...this.#records.values()];
    // Also while it is lost: what comes after it may be what has changed since, and no snapshot.
    if (controls) this.#send('snapshot', { instance: this.#instance, controls, isFormer: !!this.#lost }, document);
    if (this.#lost) this.#send('lost', this.#lost, document);
    return undefined;
  }

  open() {
    this.close();
    const names = this.#wanted(), match = names.join();
    if (!match || this.#hasEnded) return;
    const last = match === this.#names.join() ? this.#last : undefined;
    this.#names = names;
    this.#last = last;
    // Those of other names are no answer to who asks for these.
    if (!last) this.#records = undefined;
    const query = new URLSearchParams({ moments: 1, ...(match !== '*' && { match }), ...(last && { last }) });
    const source = new EventSource(`${this.#base}events?${query}`);
    for (const type of ['tick', 'stream', 'snapshot', 'change', 'moment', 'daemon']) {
      source.addEventListener(type, (event) => this.#hear(type, event));
    }
    source.onerror = () => this.#failed(source);
    this.#source = source;
    this.#heard = performance.now();
  }

  close() {
    clearTimeout(this.#opening);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Nobody wants it any more. */
  end() {
    this.#hasEnded = true;
    this.close();
  }

  supervise(now) {
    if (!this.#source || now - this.#heard <= SILENCE) return;
    this.#lose();
    this.open();
  }

  #plan(pause) {
    clearTimeout(this.#opening);
    if (!this.#hasEnded) this.#opening = setTimeout(() => this.open(), pause);
  }

  #hear(type, { data: text, lastEventId }) {
    this.#heard = performance.now();
    let data;
    try {
      data = JSON.parse(text);
      this.#keep(type, data);
    } catch {
      // What is no event of ours is as good as none: from the beginning, a little later.
      this.#last = undefined;
      this.close();
      this.#lose();
      return this.#plan(RETRY);
    }
    if (lastEventId) this.#last = lastEventId;
    if (type !== 'tick') this.#send(type, data);
    return undefined;
  }

  /** For documents that come later. */
  #keep(type, data) {
    if (type === 'snapshot') {
      this.#instance = data.instance;
      this.#records = recordsOf(data);
    } else if (type === 'change' && this.#records) {
      for (const record of changed(this.#records, data)) this.#records.set(record.state.control, record);
    }
    if (/snapshot|change/.test(type) || (type === 'daemon' && data.connected)) this.#lost = undefined;
    else if (type === 'daemon') this.#lost = { problem: data.problem };
  }

  #lose(problem) {
    this.#lost = { problem };
    this.#send('lost', this.#lost);
  }

  /** Without an answer the browser tries again by itself, with Last-Event-ID; after a refusal it does not. */
  async #failed(source) {
    if (source !== this.#source) return;
    // Who asks for the token goes on until it is known that none is needed.
    if (this.#lost?.problem !== 'token') this.#lose();
    if (source.readyState !== EventSource.CLOSED) return;
    this.close();
    const status = await fetch(`${this.#base}status`, { cache: 'no-store', signal: AbortSignal.timeout(SILENCE) })
      .then((answer) => answer.status, () => 0);
    if (this.#source) return;
    this.#lose(status === 401 ? 'token' : undefined);
    // Without a token seldom: it may be given in another browser of the machine, or taken out of the configuration.
    this.#plan(status === 401 ? LOCKED : RETRY);
  }
}
