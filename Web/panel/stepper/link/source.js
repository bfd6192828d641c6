/**
 * The way to the hub that follows the controls: in a worker that all documents of the browser share; where there is none, in
 * the document that has the lock of this name; else in this document alone, which then has a stream of its own.
 */
import { worker } from '../files.js';
import { Hub } from './hub.js';

/** Counts the changes of what documents and hubs say: those of different versions do not understand each other. */
const MESSAGES = 2;

/** The content security policy trusts this address of a script, and no other. It is made once, also where the module is loaded twice. */
function trusted() {
  const key = Symbol.for('stepper.trusted');
  try {
    globalThis[key] ??= globalThis.trustedTypes.createPolicy('stepper', { createScriptURL: () => worker.href }).createScriptURL('');
  } catch { /* there are no such types, or none may be made */ }
  return globalThis[key] ?? worker.href;
}

function shared(base, receive, fail) {
  const made = new SharedWorker(trusted(), { name: base, type: 'module' });
  made.onerror = fail;
  made.port.onmessage = ({ data }) => receive(data);
  return { post: (message) => made.port.postMessage(message), close: () => made.port.close() };
}

/** @param steal whether the document that leads is stuck */
function led(base, receive, fail, steal = false) {
  const { locks } = navigator, name = `stepper ${MESSAGES} ${base}`, ended = new AbortController();
  if (!locks) throw new Error('no locks');
  const listen = (take) => Object.assign(new BroadcastChannel(name), { onmessage: ({ data }) => take(data) });
  // All hear all: a document says from whom it is, and a hub does not.
  const channel = listen((message) => message.from || receive(message));
  let letGo;
  const lead = () => new Promise((resolve) => {
    const own = listen((message) => message.from && hub.receive(message));
    const hub = new Hub(base, (message) => own.postMessage(message));
    letGo = () => {
      hub.close();
      own.close();
      resolve();
    };
  });
  const queue = async (options) => {
    try {
      await locks.request(name, options, lead);
    } catch (error) {
      letGo?.();
      if (ended.signal.aborted) return;
      if (error.name === 'AbortError') queue({ signal: ended.signal });
      else fail();
    }
  };
  queue(steal ? { steal } : { signal: ended.signal });
  return {
    post: (message) => channel.postMessage(message),
    close() {
      ended.abort();
      letGo?.();
      channel.close();
    },
  };
}

const stolen = (base, receive, fail) => led(base, receive, fail, true);

function alone(base, receive) {
  const hub = new Hub(base, receive);
  return { post: (message) => hub.receive(message), close: () => hub.close(), isOwn: true };
}

const WAYS = [shared, led, stolen, alone];

export class Source {
  #name;
  #receive;
  #wants = null;
  #way;
  #number = 0;
  /** The first of those that have not failed. One that was silent once may be good later. */
  #first = 0;
  #base;

  /** @param name of the document @param receive takes what the hub says */
  constructor(name, receive) {
    this.#name = name;
    this.#receive = receive;
  }

  /** Whether the stream is this document's own. */
  get isOwn() { return !!this.#way?.isOwn; }

  /** Begins before it is known what is wanted: a worker needs its time to start. */
  prepare(base) {
    this.#base = base;
    this.#begin();
  }

  /** @param wants names of controls; null: nothing more @param list what the document knows of all controls, if it does */
  ask(base, wants, list) {
    if (this.#way && base !== this.#base) this.#close();
    this.#wants = wants;
    this.#base = base;
    if (!wants) {
      this.#close();
      this.#number = this.#first;
    } else if (this.#way) this.say(list);
    else this.#begin();
  }

  /** Says once more what is wanted. */
  say(list) { if (this.#wants) this.#post({ wants: this.#wants, list }); }

  restart() { this.#post({ restart: true }); }

  /** Nothing is heard on this way: the next one. */
  turn() {
    if (!this.#way || this.#number === WAYS.length - 1) return;
    this.#close();
    this.#number += 1;
    this.#begin();
  }

  #post(message) { this.#way?.post({ from: this.#name, ...message }); }

  #begin() {
    let way;
    const isMine = () => way && way === this.#way;
    try {
      way = WAYS[this.#number](this.#base, (message) => this.#hear(message), () => {
        if (!isMine()) return;
        this.#first = Math.min(this.#number + 1, WAYS.length - 1);
        this.turn();
      });
    } catch {
      this.#number += 1;
      this.#first = this.#number;
      return this.#begin();
    }
    this.#way = way;
    return this.say();
  }

  #hear(message) {
    if (!message.to || message.to === this.#name) this.#receive(message);
  }

  #close() {
    this.#post({ wants: null });
    this.#way?.close();
    this.#way = undefined;
  }
}
