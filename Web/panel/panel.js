/** The panel's page: all controls, by the parameters of its address (Documentation/panel.md) and the settings of stepperd-web. */
import { beginning } from './stepper/beginning.js';
import './stepper.js';
import { make, put } from './stepper/dom.js';
import { connection } from './stepper/link/connection.js';
import { LOOKS } from './stepper/looks.js';
import { loadStrings, say } from './stepper/words/strings.js';

const query = new URLSearchParams(location.search);
const { settings = {}, ...list } = await beginning;
if (list.controls) connection.begin(list);
const root = document.documentElement;
const KNOWN = ['layout', 'distance', 'dim-after', 'look', 'match', 'scheme', 'group', 'language', 'contrast', 'sound'];
/** What is not understood in the address. */
const strange = [...query].filter(([name]) => !KNOWN.includes(name)).map((pair) => pair.join('='));
/** A parameter as `read` gives it; undefined: it is not there, or is not understood. */
function parameter(name, read) {
  const text = query.get(name), value = text === null ? undefined : read(text);
  if (text !== null && value === undefined) strange.push(`${name}=${text}`);
  return value;
}
const oneOf = (...texts) => (text) => (texts.includes(text) ? text : undefined);
function tagOf(text) {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

root.lang = parameter('language', tagOf) ?? tagOf(settings.language || navigator.language) ?? 'en';
await loadStrings(root.lang);
root.dir = /^(ar|fa|he|ur|yi|dv|ps|sd|ug|ckb)\b/i.test(root.lang) ? 'rtl' : 'ltr';
const scheme = parameter('scheme', oneOf('light', 'dark'));
if (scheme) root.style.setProperty('color-scheme', scheme);

const words = (key, values) => say(root.lang, key, values);
const [state, empty, fullscreen] = ['state', 'empty', 'fullscreen'].map((id) => document.getElementById(id));
document.title = words('controls');
document.querySelector('h1').textContent = words('controls');
put(empty, { textContent: words('empty') });

const layout = parameter('layout', oneOf('kiosk', 'list')) ?? (matchMedia('(pointer: coarse) and (min-width: 1024px)').matches ? 'kiosk' : 'list');
const look = parameter('look', oneOf('auto', ...LOOKS)) ?? settings.look;
const panel = make('stepper-panel');
for (const [name, value] of Object.entries({
  match: query.get('match'), group: query.get('group'), look,
  scheme, layout: 'row', contrast: parameter('contrast', oneOf('aa', 'original')), sound: parameter('sound', oneOf('on', 'off')),
})) {
  if (value) panel.setAttribute(name, value);
}

function tell() {
  const offline = connection.phase === 'disconnected';
  const slow = [...panel.querySelectorAll('stepper-control')].some((control) => control.hold === 'step');
  const texts = [...strange.map((text) => words('parameter', { text })), ...(slow && !offline ? [words('oneStep')] : [])];
  put(state, { hidden: !texts.length, textContent: texts.join(' · ') });
  put(empty, { hidden: offline || connection.phase === 'connecting' || panel.length > 0 });
  root.dataset.phase = connection.phase;
}
for (const type of ['stepper-list', 'stepper-connection']) document.addEventListener(type, tell);
panel.addEventListener('pointerup', () => setTimeout(tell, 300));
connection.follow(tell);

root.dataset.layout = layout;
if (layout === 'kiosk') {
  const style = make('link', { rel: 'stylesheet', href: 'kiosk.css' });
  const drawn = new Promise((resolve) => { style.onload = style.onerror = resolve; });
  document.head.append(style);
  const [{ Kiosk }] = await Promise.all([import('./page/kiosk.js'), drawn]);
  const metres = parameter('distance', (text) => (/^\d+(\.\d+)?$/.test(text) && text >= 0.1 && text <= 20 ? Number(text) : undefined));
  document.querySelector('main').append(panel);
  new Kiosk(panel, { look, metres: metres ?? 0.7, words });
} else {
  document.querySelector('main').append(panel);
}
if (query.has('dim-after')) {
  const { dimAfter, durationOf } = await import('./page/dim.js');
  const after = parameter('dim-after', durationOf);
  if (after) dimAfter(after);
}
tell();

if (document.fullscreenEnabled) {
  put(fullscreen, { hidden: false, title: words('fullscreen'), ariaPressed: 'false' });
  fullscreen.append(make('span', { textContent: '⛶', ariaHidden: 'true' }));
  fullscreen.addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()).catch(() => {}));
  document.addEventListener('fullscreenchange', () => put(fullscreen, { ariaPressed: String(!!document.fullscreenElement) }));
}
