/** The document's one live region: what others change, late and seldom enough to be heard, and what is lost. */
import { make, pageLanguage } from '../dom.js';
import { connection } from '../link/connection.js';
import { say } from './strings.js';

/** Milliseconds. */
const PAUSE = 150, INTERVAL = 1000, LOST = 1000;
const MOST = 3;
const changed = new Map(), texts = new Set();
export const announcer = { off: false };
let region, timer, losing, spokenAt = -INTERVAL, lost = false;

export function announceChange(control, words) {
  changed.set(control, words);
  plan(PAUSE);
}

export function announce(text) {
  texts.add(text);
  plan(0);
}

/** Before there is anything to say: readers notice only changes of a region that they know. */
export function prepare() {
  region ??= make('div', { role: 'status' });
  if (region.isConnected || !document.body) return;
  Object.assign(region.style, { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap' });
  document.body.append(region);
}

function plan(pause) {
  clearTimeout(timer);
  timer = setTimeout(speak, Math.max(pause, spokenAt + INTERVAL - performance.now()));
}

function speak() {
  const count = changed.size;
  const parts = [...texts, ...(count > MOST ? [say(pageLanguage(), 'changed', { count })] : changed.values())];
  changed.clear();
  texts.clear();
  if (announcer.off) return;
  prepare();
  spokenAt = performance.now();
  region.textContent = parts.join('. ');
}

connection.follow(() => {
  clearTimeout(losing);
  const tell = (now, key) => {
    lost = now;
    announce(say(pageLanguage(), key));
  };
  if (connection.phase === 'disconnected' && !lost) losing = setTimeout(tell, LOST, true, 'lost');
  if (connection.phase === 'connected' && lost) tell(false, 'back');
});
