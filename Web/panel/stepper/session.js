/** `<stepper-connection href token-prompt announce>`: where the controls are, and the way in. */
import { make, put } from './dom.js';
import { api } from './link/api.js';
import { connection } from './link/connection.js';
import { announcer } from './words/announcer.js';
import { say } from './words/strings.js';

/** Exchanges a token for the cookie; rejects with StepperError. */
export async function signIn(token) {
  await api.call('session', { token });
  connection.restart();
}

/** The kiosk's address gives it once as `#token=…`, which no server sees; it leaves the address at once. */
const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  history.replaceState(history.state, '', location.pathname + location.search);
  signIn(given).catch(() => {});
}

export class StepperConnection extends HTMLElement {
  static observedAttributes = ['href', 'announce', 'token-prompt'];
  #unfollow;
  #shown;

  get connected() { return connection.phase === 'connected'; }
  /** "connecting", "connected" or "disconnected". */
  get phase() { return connection.phase; }
  /** "token" where one is needed, or the server's words, or ''. */
  get problem() { return connection.problem ?? ''; }

  signIn(token) { return signIn(token); }
  signOut() { return api.call('session', undefined, { method: 'DELETE' }).then(() => connection.restart()); }

  connectedCallback() {
    this.#unfollow = connection.follow(() => this.#follow());
  }

  disconnectedCallback() { this.#unfollow?.(); }

  attributeChangedCallback(name, old, now) {
    if (name === 'announce') announcer.off = now === 'off';
    if (name === 'href' && now !== null) {
      api.base = new URL(`${now.replace(/\/$/, '')}/`, document.baseURI).href;
      connection.restart();
    }
  }

  #follow() {
    const { connected, problem } = this;
    this.dispatchEvent(new CustomEvent('stepper-connection', { bubbles: true, composed: true, detail: { connected, problem } }));
    if (problem === 'token' && this.hasAttribute('token-prompt')) this.#ask();
    else if (connected) this.#shown?.close();
  }

  #ask() {
    if (!this.#shown) {
      const words = say(this.lang || document.documentElement.lang, 'token');
      const input = make('input', { type: 'password', autocomplete: 'off', ariaLabel: words, placeholder: words });
      const form = make('form', { method: 'dialog' }, input, make('button', { textContent: 'OK' }));
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        signIn(input.value).then(() => this.#shown.close(), ({ message }) => put(input, { value: '', placeholder: message }));
      });
      this.#shown = make('dialog', { ariaLabel: words }, form);
      this.append(this.#shown);
    }
    if (!this.#shown.open) this.#shown.showModal();
  }
}
