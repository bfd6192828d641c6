/**
 * The one live region of the document. A control that has the focus is announced by the reader itself, and never
 * here; what others change is said only where it is asked for, late and seldom enough to be heard.
 */
import { make } from '../dom.js';
import { connection } from '../link/connection.js';
import { say } from './strings.js';

/** Milliseconds: after the last change; between two texts; before a lost connection is told. */
const PAUSE = 150, INTERVAL = 1000, LOST = 1000;
const MOST = 3;
const changed = new Map();
const texts = [];
/** `off`: the page keeps silent. */
export const announcer = { off: false };
let region, timer, spokenAt = -INTERVAL, lostTimer, toldLost = false;

/** The newest words of a control. */
export function announceChange(control, words) {
  changed.delete(control);
  changed.set(control, words);
  plan(PAUSE);
}

/** One text, in its order. */
export function announce(text) {
  if (!texts.includes(text)) texts.push(text);
  plan(0);
}

/** Makes the region before there is anything to say: readers notice only changes of one that they know. */
export function prepare() {
  if (region?.isConnected || !document.body) return;
  region ??= make('div', { role: 'status' });
  Object.assign(region.style, {
    position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap',
  });
  document.body.append(region);
}

function plan(pause) {
  clearTimeout(timer);
  timer = setTimeout(speak, Math.max(pause, spokenAt + INTERVAL - performance.now()));
}

function speak() {
  const language = document.documentElement.lang || navigator.language;
  const parts = texts.splice(0);
  if (changed.size > MOST) parts.push(say(language, 'changed', { count: changed.size }));
  else parts.push(...changed.values());
  changed.clear();
  if (announcer.off || !parts.length) return;
  prepare();
  spokenAt = performance.now();
  region.textContent = parts.join('. ');
}

connection.follow(() => {
  clearTimeout(lostTimer);
  const language = document.documentElement.lang || navigator.language;
  if (connection.phase === 'disconnected') {
    lostTimer = setTimeout(() => {
      toldLost = true;
      announce(say(language, 'lost'));
    }, LOST);
  } else if (connection.phase === 'connected' && toldLost) {
    toldLost = false;
    announce(say(language, 'back'));
  }
});
