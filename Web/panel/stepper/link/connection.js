/** The document's one event stream, and what it told: a record `{description, state, accessibility}` by control. */
import { pageLanguage } from '../dom.js';
import { api } from './api.js';

/** Milliseconds. */
const SILENCE = 5000, HIDDEN = 30000, RETRY = 1000, GRACE = 1000;
/** Of a subscription; for more names it follows all. */
const MOST_NAMES = 64;

class Connection {
  records = new Map();
  phase = 'connecting';
  /** "token", or the server's words. */
  problem;
  /** Its end releases what the page holds. */
  stream;
  /** Counts the daemon's lives: what an earlier one answered is no news. */
  epoch = 0;
  #members = new Map();
  #followers = new Set();
  #source;
  #matches = '';
  #instance;
  #last;
  #heard = 0;
  #opening;
  #hiding;

  constructor() {
    addEventListener('visibilitychange', () => {
      clearTimeout(this.#hiding);
      if (document.hidden) this.#hiding = setTimeout(() => this.#close(), HIDDEN);
      else this.#plan();
    }, true);
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', () => this.#plan());
    setInterval(() => this.#supervise(), 1000);
  }

  /** @param member has `received(record, before)`, `linked()`, `moment(event)`; of a pattern `listed()` */
  join(member, match) {
    if (!this.#members.has(match)) this.#members.set(match, new Set());
    this.#members.get(match).add(member);
    this.#plan();
  }

  leave(member, match) {
    const set = this.#members.get(match);
    set?.delete(member);
    if (!set?.size) this.#members.delete(match);
    if (!this.#opening) this.#plan(GRACE);
  }

  /** Gives the function that ends it. */
  follow(follower) {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The state of an answer to a call that was made in `epoch`. */
  answered(state, epoch) {
    const record = epoch === this.epoch && state && this.records.get(state.control);
    if (record) this.#apply(record, state);
  }

  restart() {
    this.#close();
    this.#plan();
  }

  #apply(record, state, description = record.description, accessibility = record.accessibility) {
    const before = record.state;
    // Older than an acknowledged answer: an echo of the past.
    if (state.sequence < before.sequence) return;
    Object.assign(record, { state, description, accessibility });
    this.#tell(state.control, (member) => member.received(record, before));
  }

  #tell(name, action) { this.#members.get(name)?.forEach(action); }

  #snapshot({ instance, controls }) {
    const old = this.records, renewed = instance !== this.#instance;
    if (renewed) this.epoch += 1;
    this.#instance = instance;
    this.records = new Map(controls.map((record) => [record.description.control, record]));
    for (const [name, record] of this.records) {
      const before = old.get(name)?.state;
      if (!renewed && before?.sequence > record.state.sequence) record.state = before;
    }
    for (const [match, members] of this.#members) {
      for (const member of members) {
        if (member.listed) member.listed();
        else member.received(this.records.get(match), old.get(match)?.state);
      }
    }
  }

  #change({ states, descriptions = [], accessibility = [] }) {
    const of = (list, name) => list.find(({ control }) => control === name);
    for (const state of states) {
      const { control } = state, record = this.records.get(control);
      if (record) this.#apply(record, state, of(descriptions, control), of(accessibility, control));
    }
  }

  #enter(phase, problem) {
    if (phase === this.phase && problem === this.problem) return;
    Object.assign(this, { phase, problem, since: performance.now() });
    for (const follower of this.#followers) follower();
    for (const members of this.#members.values()) for (const member of members) member.linked();
  }

  #plan(pause = 0) {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => {
      this.#opening = 0;
      const names = [...this.#members.keys()].filter(Boolean).sort();
      const matches = names.length > MOST_NAMES || names.includes('*') ? '*' : names.join();
      if (!matches) this.#close();
      else if (!document.hidden && (!this.#source || matches !== this.#matches)) this.#open(matches);
    }, pause);
  }

  #open(matches) {
    const last = matches === this.#matches && this.#last;
    this.#close();
    this.#matches = matches;
    const query = new URLSearchParams({
      moments: 1, language: pageLanguage(), ...(matches === '*' ? {} : { match: matches }), ...(last ? { last } : {}),
    });
    const source = new EventSource(`${api.base}events?${query}`);
    const hear = (type, take) => source.addEventListener(type, ({ data, lastEventId }) => {
      this.#heard = performance.now();
      if (lastEventId) this.#last = lastEventId;
      take(JSON.parse(data));
    });
    const news = (take) => (data) => {
      this.#enter('connected');
      take.call(this, data);
    };
    hear('tick', () => {});
    hear('stream', ({ id }) => { this.stream = id; });
    hear('snapshot', news(this.#snapshot));
    hear('change', news(this.#change));
    hear('moment', ({ moments }) => moments.forEach((one) => this.#tell(one.control, (member) => member.moment(one))));
    hear('daemon', ({ connected, problem }) => this.#enter(connected ? 'connected' : 'disconnected', problem));
    source.onerror = () => this.#failed(source);
    this.#source = source;
    this.#heard = performance.now();
  }

  /** Without an answer the browser tries again by itself, with Last-Event-ID; after a refusal it does not. */
  async #failed(source) {
    this.#enter('disconnected');
    if (source.readyState !== EventSource.CLOSED) return;
    this.#source = undefined;
    const error = await api.call('status').catch(({ code }) => code);
    if (error === 'HTTP401') this.#enter('disconnected', 'token');
    else this.#plan(RETRY);
  }

  #close() {
    this.#source?.close();
    this.#source = undefined;
    if (this.phase === 'connected' && document.hidden) this.#enter('connecting');
  }

  #supervise() {
    const silent = performance.now() - this.#heard;
    if (!this.#source || silent < GRACE) return;
    if (this.phase === 'connecting' || silent > SILENCE) this.#enter('disconnected');
    if (silent > SILENCE) this.#open(this.#matches);
  }
}

export const connection = new Connection();
