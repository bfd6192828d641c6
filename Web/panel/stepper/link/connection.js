/**
 * The one event stream of the document and what it told: a record `{description, state, accessibility}` for each
 * control. Members (elements) join with a name or pattern and are told of changes at once; they draw later.
 */
import { api } from './api.js';

/** A page without any event for so long is disconnected; a hidden one closes its stream. Milliseconds. */
const SILENCE = 5000, HIDDEN = 30000, RETRY = 1000, GRACE = 1000;
/** More names than a subscription takes are followed by following all. */
const MOST_NAMES = 64;

class Connection {
  records = new Map();
  /** "connecting" until the first answer or a second has passed, "connected", "disconnected". */
  phase = 'connecting';
  /** performance.now() of the last change of phase. */
  since = 0;
  /** "token" if the server wants one; else a sentence of the server, or nothing. */
  problem;
  /** Counts the lives of the daemon: answers of an earlier one are not news. */
  epoch = 0;
  /** Names of the controls in the order of the configuration. */
  names = [];
  #members = new Map();
  #followers = new Set();
  #source;
  #opened = [];
  #instance;
  #lastID;
  #heardAt = 0;
  #timers = {};

  constructor() {
    addEventListener('visibilitychange', () => {
      if (document.hidden) this.#later('hide', HIDDEN, () => this.#close());
      else this.#cancel('hide') || this.#reopen();
    }, true);
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', (event) => event.persisted && this.#reopen());
    setInterval(() => this.#supervise(), 1000);
  }

  /** @param member has `received(record, before)`, `linked()`, and perhaps `moment(event)` and `listed()` */
  join(member, match) {
    if (!this.#members.has(match)) this.#members.set(match, new Set());
    this.#members.get(match).add(member);
    this.#cancel('leave');
    if (!this.#source || !this.#covers(match)) this.#later('open', 0, () => this.#open());
  }

  leave(member, match) {
    const set = this.#members.get(match);
    set?.delete(member);
    if (set?.size === 0) this.#members.delete(match);
    if (!this.#members.size) this.#later('leave', GRACE, () => this.#close());
  }

  /** `follower()` is called at each change of phase. */
  follow(follower) {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The state of an answer to a call that was made in `epoch`. */
  answered(state, epoch = this.epoch) {
    const record = epoch === this.epoch && state && this.records.get(state.control);
    if (record) this.#apply(record, state);
  }

  #members_(name) { return this.#members.get(name) ?? []; }

  #apply(record, state, description, accessibility) {
    const before = record.state;
    // What is older than an acknowledged answer is an echo of the past.
    if (state.sequence < before.sequence) return;
    record.state = state;
    if (description) record.description = description;
    if (accessibility) record.accessibility = accessibility;
    for (const member of this.#members_(state.control)) member.received(record, before);
  }

  #snapshot({ instance, controls }) {
    const renewed = instance !== this.#instance;
    if (renewed) this.epoch += 1;
    this.#instance = instance;
    const old = this.records;
    this.records = new Map();
    this.names = controls.map((control) => control.description.control);
    for (const control of controls) {
      const name = control.description.control;
      const before = old.get(name);
      if (!renewed && before && before.state.sequence > control.state.sequence) control.state = before.state;
      this.records.set(name, control);
      for (const member of this.#members_(name)) member.received(control, before?.state);
    }
    for (const [match, members] of this.#members) {
      for (const member of members) {
        if (member.listed) member.listed();
        else if (!this.records.has(match)) member.received(undefined, old.get(match)?.state);
      }
    }
  }

  #change({ states, descriptions = [], accessibility = [] }) {
    const described = new Map(descriptions.map((one) => [one.control, one]));
    states.forEach((state, index) => {
      const record = this.records.get(state.control);
      if (record) this.#apply(record, state, described.get(state.control), accessibility[index]);
    });
  }

  #moment({ moments }) {
    for (const moment of moments) {
      for (const member of this.#members_(moment.control)) member.moment(moment);
    }
  }

  #enter(phase, problem) {
    this.problem = problem;
    if (phase === this.phase) return;
    this.phase = phase;
    this.since = performance.now();
    for (const follower of this.#followers) follower();
    for (const members of this.#members.values()) for (const member of members) member.linked();
  }

  // The stream

  #covers(match) { return this.#opened.includes('*') || this.#opened.includes(match); }

  #matches() {
    const matches = [...this.#members.keys()].filter(Boolean).sort();
    return matches.length > MOST_NAMES || matches.includes('*') ? ['*'] : matches;
  }

  #reopen() { if (this.#members.size) this.#open(); }

  #open() {
    const matches = this.#matches();
    const resumes = this.#lastID && matches.join() === this.#opened.join();
    this.#close();
    if (!matches.length || document.hidden) return;
    this.#opened = matches;
    const url = new URL(`${api.base}events`);
    url.search = new URLSearchParams({
      ...(matches[0] === '*' ? {} : { match: matches.join() }), moments: '1',
      language: document.documentElement.lang || navigator.language, ...(resumes ? { last: this.#lastID } : {}),
    });
    const source = new EventSource(url);
    this.#source = source;
    this.#heardAt = performance.now();
    const hear = (type, take) => source.addEventListener(type, (event) => {
      this.#heardAt = performance.now();
      if (event.lastEventId) this.#lastID = event.lastEventId;
      take?.(JSON.parse(event.data));
    });
    const news = (take) => (data) => { this.#enter('connected'); take.call(this, data); };
    hear('tick');
    hear('snapshot', news(this.#snapshot));
    hear('change', news(this.#change));
    hear('moment', (data) => this.#moment(data));
    hear('daemon', ({ connected, problem }) => this.#enter(connected ? 'connected' : 'disconnected', problem));
    source.onerror = () => {
      this.#enter('disconnected');
      // Without an answer the browser tries again by itself, with Last-Event-ID; after a refusal it does not.
      if (source.readyState === EventSource.CLOSED) this.#ask();
    };
  }

  /** Why the stream was refused, and then again. */
  async #ask() {
    const code = await api.call('settings').then(() => '', (error) => error.code);
    this.#enter('disconnected', /401|Unauthor/.test(code) ? 'token' : undefined);
    if (this.problem) for (const follower of this.#followers) follower();
    else this.#later('open', RETRY, () => this.#open());
  }

  /** Begins again, for example with another token. */
  restart() { this.#reopen(); }

  #close() {
    this.#cancel('open');
    this.#source?.close();
    this.#source = undefined;
    if (this.phase === 'connected' && document.hidden) this.#enter('connecting');
  }

  #supervise() {
    const silent = performance.now() - this.#heardAt;
    if (!this.#source) return;
    if (this.phase === 'connecting' && silent > GRACE) this.#enter('disconnected');
    if (silent > SILENCE) {
      this.#enter('disconnected');
      this.#open();
    }
  }

  #later(name, milliseconds, run) {
    this.#cancel(name);
    this.#timers[name] = setTimeout(() => { delete this.#timers[name]; run(); }, milliseconds);
  }

  /** Whether there was something to cancel. */
  #cancel(name) {
    const had = name in this.#timers;
    clearTimeout(this.#timers[name]);
    delete this.#timers[name];
    return had;
  }
}

export const connection = new Connection();
