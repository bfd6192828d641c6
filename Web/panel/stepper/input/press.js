/** Fingers and mice on buttons. Each pointer is its own hold; the engine counts the steps. */
import { platformOf } from '../looks.js';

/** How far a pointer may leave a button that lets go outside. CSS pixels. */
const LEAVE = 16;

/** @param {Control} control @param on adds a listener that the next view removes */
export function bindButtons(control, on) {
  const { increment, decrement, button, switch: toggle } = control.view.parts;
  for (const [part, action] of [[increment, 'increment'], [decrement, 'decrement'], [button, 'push']]) {
    if (part) bindButton(control, on, part, action);
  }
  if (toggle) on(toggle, 'click', () => control.toggle());
}

function bindButton(control, on, part, action) {
  const holds = new Map();
  const letGo = (event) => {
    holds.get(event.pointerId)?.release();
    holds.delete(event.pointerId);
  };
  on(part, 'contextmenu', (event) => event.preventDefault());
  // The focus goes where the keys are, and on touch not into a field, which would bring a keyboard.
  on(part, 'mousedown', (event) => event.preventDefault());
  on(part, 'pointerdown', (event) => {
    if (event.button || !control.can(action)) return;
    if (event.pointerType === 'mouse' || control.options.as !== 'field') control.focus();
    part.setPointerCapture(event.pointerId);
    const box = part.getBoundingClientRect();
    part.style.setProperty('--_x', `${event.clientX - box.x}px`);
    part.style.setProperty('--_y', `${event.clientY - box.y}px`);
    holds.set(event.pointerId, control.press(action));
  });
  on(part, 'pointermove', (event) => {
    if (holds.has(event.pointerId) && releasesOutside(control) && distance(part, event) > LEAVE) letGo(event);
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) on(part, type, letGo);
  // A reader or a voice clicks without a pointer.
  on(part, 'click', (event) => !event.detail && control.can(action) && control.press(action).release());
}

function releasesOutside(control) {
  const leave = control.attribute('leave', 'auto');
  return leave === 'auto' ? !/^(gtk|rpvertical)$/.test(platformOrOwn(control.view.look)) : leave === 'release';
}

const platformOrOwn = (look) => (look === 'rpvertical' ? look : platformOf(look));

function distance(part, { clientX, clientY }) {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom);
}
