/** Fingers and mice on buttons: each pointer is its own hold. */
import { platformOf } from '../looks.js';

/** CSS pixels. */
const LEAVE = 16;

export function bindButtons(control, on) {
  const { increment, decrement, button, switch: toggle } = control.view.parts;
  for (const [action, part] of Object.entries({ increment, decrement, push: button })) {
    if (part) bindButton(control, on, part, action);
  }
  if (toggle) on(toggle, 'click', () => control.toggle());
  // The label in the row, and that of a page, whose click arrives at the element itself.
  const act = () => {
    if (toggle) control.toggle();
    else if (button && control.can('push')) control.press('push').release();
    if (!control.host.matches(':disabled')) control.focus();
  };
  if (!button) on(control.view.parts.label, 'click', act);
  on(control.host, 'click', (event) => event.composedPath()[0] === control.host && act());
}

function bindButton(control, on, part, action) {
  const holds = new Map();
  const letGo = ({ pointerId }) => {
    holds.get(pointerId)?.release();
    holds.delete(pointerId);
  };
  // Without it the focus would go to the button; a touch brings none to a field, lest a keyboard comes.
  for (const type of ['contextmenu', 'mousedown']) on(part, type, (event) => event.preventDefault());
  on(part, 'pointerdown', ({ button, pointerId, pointerType, clientX, clientY }) => {
    if (button || !control.can(action)) return;
    if (pointerType === 'mouse' || control.options.as !== 'field') control.focus();
    part.setPointerCapture(pointerId);
    const { x, y } = part.getBoundingClientRect();
    part.style.setProperty('--_x', `${clientX - x}px`);
    part.style.setProperty('--_y', `${clientY - y}px`);
    holds.set(pointerId, control.press(action));
  });
  on(part, 'pointermove', (event) => {
    if (holds.has(event.pointerId) && distance(part, event) > LEAVE && releasesOutside(control)) letGo(event);
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) on(part, type, letGo);
  // A reader or a voice clicks without a pointer.
  on(part, 'click', ({ detail }) => !detail && control.can(action) && control.press(action).release());
}

function releasesOutside(control) {
  const leave = control.attribute('leave', 'auto'), { look } = control.options;
  return leave === 'auto' ? look !== 'rpvertical' && platformOf(look) !== 'gtk' : leave === 'release';
}

function distance(part, { clientX, clientY }) {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom);
}
