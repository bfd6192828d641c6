/** Asks for the token, until the server takes one or none is needed any more. */
import { make, pageLanguage } from '../dom.js';
import { say } from '../words/strings.js';

/** @param {StepperConnection} session */
export function ask(session) {
  if (session.problem !== 'token' || session.querySelector('dialog')) return;
  const words = say(pageLanguage(), 'token');
  const input = make('input', { type: 'password', autocomplete: 'off', ariaLabel: words, placeholder: words });
  // A live region outside of a modal dialog is not read.
  const problem = make('p', { role: 'alert' });
  const dialog = make('dialog', { ariaLabel: words }, make('form', {}, input, make('button', { textContent: 'OK' }), problem));
  dialog.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await session.signIn(input.value);
      dialog.close();
    } catch ({ code, message }) {
      input.value = '';
      problem.textContent = code === 'HTTP401' ? say(pageLanguage(), 'wrongToken') : message;
      input.focus();
    }
  });
  // Put aside, it comes again.
  dialog.addEventListener('close', () => dialog.remove());
  session.append(dialog);
  dialog.showModal();
}
