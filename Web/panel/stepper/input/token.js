/** Asks for the token, until the server takes one or none is needed any more. */
import { make, pageLanguage } from '../dom.js';
import { say } from '../words/strings.js';

/** @param {StepperConnection} session */
export function ask(session) {
  if (session.problem !== 'token' || session.querySelector('dialog')) return;
  const words = say(pageLanguage(), 'token');
  const input = make('input', { type: 'password', autocomplete: 'off', ariaLabel: words, placeholder: words });
  const dialog = make('dialog', { ariaLabel: words }, make('form', {}, input, make('button', { textContent: 'OK' })));
  dialog.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await session.signIn(input.value);
      dialog.close();
    } catch ({ message }) {
      Object.assign(input, { value: '', placeholder: message });
    }
  });
  // Put aside, it comes again.
  dialog.addEventListener('close', () => dialog.remove());
  session.append(dialog);
  dialog.showModal();
}
