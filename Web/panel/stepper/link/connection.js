/** What the hub tells this document of its controls: a record `{description, state, accessibility}` by control. */
import { api, newName } from './api.js';
import { changed, isSame, recordsOf, renewed } from './records.js';
import { Source } from './source.js';

/** Milliseconds. */
const SILENCE = 5000, HIDDEN = 30000, GRACE = 1000;

/** Those of a list with commas, as the server reads it; without any, all. */
export function patternsOf(match) {
  const patterns = match.split(',').filter(Boolean);
  return patterns.length ? patterns : ['*'];
}

class Connection {
  records = new Map();
  phase = 'connecting';
  /** "token", or the server's words. */
  problem;
  /** Counts the daemon's lives: what an earlier one answered is no news. */
  epoch = 0;
  #name = newName();
  /** That of the document alone; its end releases what the page holds. */
  #stream;
  #members = new Map();
  #followers = new Set();
  #source = new Source(this.#name, (message) => this.#hear(message));
  /** The names that the hub is asked for; and whether it has told anything of them yet. */
  #wants = [];
  #isTold = false;
  /** What an answer said, until the hub has it. */
  #list;
  #instance;
  #heard = 0;
  /** When the supervisor looked last. */
  #looked = performance.now();
  #opened = 0;
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
    if (!document.hidden) this.#source.prepare(api.base);
  }

  /** Whose the holds of this page are. */
  get holder() { return { document: this.#name, ...(this.#source.isOwn && { stream: this.#stream }) }; }

  /** @param member has `received(record, before, isChange)`, `linked()`, `moment(event)`; of a pattern `listed()` */
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

  /** What an answer said before the hub says anything: a page need not wait for that to be drawn. */
  begin(list) {
    if (this.#instance || document.hidden) return;
    this.#list = list;
    this.#enter('connected');
    this.#snapshot(list);
  }

  /** Gives the function that ends it. */
  follow(follower) {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The state of an answer to a call that was made in `epoch`. */
  answered(state, epoch) {
    if (epoch === this.epoch && state) this.#apply(renewed(this.records.get(state.control), state));
  }

  /** After another token. */
  restart() {
    this.#plan();
    this.#source.restart();
  }

  /** @param record undefined: there is no news */
  #apply(record) {
    if (!record) return;
    const { control } = record.state, before = this.records.get(control).state;
    this.records.set(control, record);
    const isChange = !isSame(record.state, before);
    this.#tell(control, (member) => member.received(record, before, isChange));
  }

  /** The controls of this name; a list may have its pattern. */
  #tell(name, action) { this.#members.get(name)?.forEach((member) => member.listed || action(member)); }

  #snapshot(data) {
    const old = this.records, isOther = data.instance !== this.#instance;
    if (isOther) this.epoch += 1;
    this.#instance = data.instance;
    this.records = recordsOf(data);
    for (const [name, record] of this.records) {
      const before = old.get(name)?.state;
      if (!isOther && before?.sequence > record.state.sequence) this.records.set(name, { ...record, state: before });
    }
    for (const [match, members] of this.#members) {
      for (const member of members) {
        const record = this.records.get(match), before = old.get(match)?.state;
        if (member.listed) member.listed();
        else member.received(record, before, !!record && !(before && isSame(record.state, before, isOther)));
      }
    }
  }

  #enter(phase, problem) {
    const isNews = phase !== this.phase || problem !== this.problem;
    if (isNews) Object.assign(this, { phase, problem, since: performance.now() });
    // Still without a token: it is asked for again where that was put aside.
    if (isNews || problem === 'token') for (const follower of this.#followers) follower();
    if (isNews) for (const members of this.#members.values()) for (const member of members) member.linked();
  }

  #plan(pause = 0) {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => {
      this.#opening = 0;
      const match = [...new Set([...this.#members.keys()].filter(Boolean).flatMap(patternsOf))].sort();
      if (match.length) {
        if (!document.hidden) this.#ask(match);
      } else if (this.#wants.length) this.#close(); // before that a worker that was just begun would end
    }, pause);
  }

  #ask(wants) {
    if (!this.#wants.length) {
      this.#heard = this.#opened = performance.now();
      this.#isTold = false;
    }
    this.#wants = wants;
    this.#source.ask(api.base, wants, this.#list);
    this.#list = undefined;
  }

  #hear({ type, names, data }) {
    this.#heard = performance.now();
    if (type === 'beat') return this.#source.say();
    // What is for other documents, or does not yet have what this one has asked for.
    const wants = this.#wants;
    if (!wants.length || !(names.includes('*') || wants.every((name) => names.includes(name)))) return undefined;
    this.#isTold ||= type === 'snapshot';
    if (!this.#isTold && !(type === 'lost' || type === 'stream' || data.connected === false)) return undefined;
    switch (type) {
      case 'stream': this.#stream = data.id; break;
      case 'moment': data.moments.forEach((one) => this.#tell(one.control, (member) => member.moment(one))); break;
      case 'lost': this.#enter('disconnected', data.problem); break;
      case 'daemon': this.#enter(data.connected ? 'connected' : 'disconnected', data.problem); break;
      default:
        if (!data.isFormer) this.#enter('connected');
        if (type === 'snapshot') this.#snapshot(data);
        else changed(this.records, data).forEach((record) => this.#apply(record));
    }
    return undefined;
  }

  #close() {
    this.#wants = [];
    this.#source.ask(api.base, null);
    if (this.phase === 'connected' && document.hidden) this.#enter('connecting');
  }

  /** Where the hub itself is silent, another one is found; but not where this page was asleep, as with the machine. */
  #supervise() {
    const now = performance.now();
    if (now - this.#looked > SILENCE) this.#heard = now;
    this.#looked = now;
    if (!this.#wants.length) return;
    const isSilent = now - this.#heard > SILENCE;
    if (isSilent || (this.phase === 'connecting' && now - this.#opened > GRACE)) this.#enter('disconnected');
    if (!isSilent) return;
    this.#heard = now;
    this.#source.turn();
  }
}

export const connection = new Connection();
