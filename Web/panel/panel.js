/** The kiosk page: all controls, by `?look= ?match= ?scheme= ?language= ?group=` and the settings of stepperd-web. */
import { settings as asked } from './stepper/settings.js';
import './stepper.js';
import { make, put } from './stepper/dom.js';
import { connection } from './stepper/link/connection.js';
import { loadStrings, say } from './stepper/words/strings.js';

const query = new URLSearchParams(location.search);
const settings = await asked;
const root = document.documentElement;
const language = query.get('language') || settings.language || navigator.language;
try {
  [root.lang] = Intl.getCanonicalLocales(language);
} catch {
  root.lang = 'en';
}
await loadStrings(root.lang);
root.dir = /^(ar|fa|he|ur|yi|dv|ps|sd|ug)\b/i.test(root.lang) ? 'rtl' : 'ltr';
const scheme = query.get('scheme');
if (scheme === 'light' || scheme === 'dark') root.style.setProperty('color-scheme', scheme);

const words = (key, values) => say(root.lang, key, values);
const [state, empty, fullscreen] = ['state', 'empty', 'fullscreen'].map((id) => document.getElementById(id));
document.title = words('controls');
document.querySelector('h1').textContent = words('controls');
put(empty, { textContent: words('empty') });

const panel = make('stepper-panel');
for (const [name, value] of Object.entries({
  match: query.get('match'), group: query.get('group'), look: query.get('look') || settings.look,
  scheme, layout: 'row', contrast: query.get('contrast'), sound: query.get('sound'),
})) {
  if (value) panel.setAttribute(name, value);
}

function tell() {
  const offline = connection.phase === 'disconnected';
  const first = panel.querySelector('stepper-control');
  const slow = first && [...panel.querySelectorAll('stepper-control')].some((control) => control.hold === 'step');
  put(state, { hidden: !offline && !slow, textContent: offline ? words(connection.problem ?? 'offline') : slow ? words('oneStep') : '' });
  put(empty, { hidden: offline || connection.phase === 'connecting' || panel.length > 0 });
  root.dataset.phase = connection.phase;
}
for (const type of ['stepper-list', 'stepper-connection']) document.addEventListener(type, tell);
panel.addEventListener('pointerup', () => setTimeout(tell, 300));
connection.follow(tell);
document.querySelector('main').append(panel);

if (document.fullscreenEnabled) {
  put(fullscreen, { hidden: false, ariaLabel: words('fullscreen'), title: words('fullscreen'), textContent: '⛶' });
  fullscreen.addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()).catch(() => {}));
  document.addEventListener('fullscreenchange', () => put(fullscreen, { ariaPressed: String(!!document.fullscreenElement) }));
}
