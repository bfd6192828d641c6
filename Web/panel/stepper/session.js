/** `<stepper-connection href token-prompt announce>`: where the controls are, and the way in. */
import { api } from './link/api.js';
import { connection } from './link/connection.js';
import { announcer } from './words/announcer.js';

/** Milliseconds. */
const AGAIN = 5000;

/** Exchanges a token for the cookie. */
const signIn = (token) => api.call('session', { token }).then(() => connection.restart());

/** The address gives it once as `#token=…`, which no server sees, and loses it at once. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  // A kiosk has nobody who types it.
  const give = () => signIn(given).catch(({ temporary }) => { if (temporary) setTimeout(give, AGAIN); });
  give();
}
takeToken();
// It is put into the address of a page that is open.
addEventListener('hashchange', takeToken);

export class StepperConnection extends HTMLElement {
  static get observedAttributes() { return ['href', 'announce']; }
  #unfollow;

  get connected() { return connection.phase === 'connected'; }
  get phase() { return connection.phase; }
  get problem() { return connection.problem ?? ''; }
  signIn(token) { return signIn(token); }
  signOut() { return api.call('session', undefined, { method: 'DELETE' }).then(() => connection.restart()); }

  connectedCallback() {
    this.#unfollow = connection.follow(() => this.#tell());
    if (connection.phase !== 'connecting') this.#tell();
  }

  disconnectedCallback() { this.#unfollow(); }

  attributeChangedCallback(name, old, now) {
    if (name === 'announce') announcer.off = now === 'off';
    else if (now) {
      api.base = new URL(`${now.replace(/\/$/, '')}/`, document.baseURI).href;
      connection.restart();
    }
  }

  #tell() {
    const { connected, problem } = this;
    this.dispatchEvent(new CustomEvent('stepper-connection', { bubbles: true, composed: true, detail: { connected, problem } }));
    if (problem !== 'token') this.querySelector('dialog')?.close();
    else if (this.hasAttribute('token-prompt')) import('./input/token.js').then(({ ask }) => ask(this), () => {});
  }
}
