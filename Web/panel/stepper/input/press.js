/** Fingers and mice on buttons: each pointer is its own hold. */
import { platformOf } from '../looks.js';
import { LEAVE, bindTap, distance } from './tap.js';

/** CSS pixels: so far aside a touch is a swipe, where swipes turn pages. */
const SWIPE = 8;
/** Milliseconds after which such a touch is a press and no swipe any more: getTapTimeout() of Android's ViewConfiguration. */
const REST = 100;

export function bindButtons(control, on) {
  const { increment, decrement, button, switch: toggle } = control.view.parts;
  for (const [action, part] of Object.entries({ increment, decrement, push: button })) {
    if (part) bindButton(control, on, part, action);
  }
  if (toggle) bindTap(on, toggle, () => control.toggle());
  // The label in the row, and that of a page, whose click arrives at the element itself; its place is that of the label.
  const act = () => {
    if (toggle) control.toggle();
    else if (button && control.can('push')) control.press('push').release();
    if (!control.host.matches(':disabled')) control.focus();
  };
  if (!button) bindTap(on, control.view.parts.label, act);
  on(control.host, 'click', (event) => {
    const isBeside = event.detail && distance(control.host, event) <= 0;
    if (event.composedPath()[0] === control.host && !isBeside) act();
  });
}

function bindButton(control, on, part, action) {
  const holds = new Map();
  /** @param isPress whether a touch is one of which that is not known yet */
  const letGo = ({ pointerId }, isPress) => {
    const { hold, touch } = holds.get(pointerId) ?? {};
    touch?.decide(isPress);
    hold?.release();
  };
  const end = (event, isPress) => {
    letGo(event, isPress);
    holds.delete(event.pointerId);
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
    const touch = pointerType === 'touch' && control.host.closest('[data-swiped]') ? new Touch(clientX) : undefined;
    holds.set(pointerId, { touch, hold: control.press(action, touch?.decided) });
  });
  on(part, 'pointermove', (event) => {
    if (!holds.has(event.pointerId)) return;
    const { touch } = holds.get(event.pointerId);
    // While another button of the mouse is down, this is how its first one is let go.
    if (!(event.buttons & 1)) end(event, true);
    else if (touch?.isSwipe(event)) end(event, false);
    else if (distance(part, event) > LEAVE && releasesOutside(control)) letGo(event, true);
  });
  on(part, 'pointerup', (event) => end(event, true));
  for (const type of ['pointercancel', 'lostpointercapture']) on(part, type, (event) => end(event, false));
  // What is a press, or was one, turns no page.
  on(part, 'touchmove', (event) => [...holds.values()].some(({ touch }) => touch?.isPress) && event.preventDefault(), { passive: false });
  // A reader or a voice clicks without a pointer.
  on(part, 'click', ({ detail }) => !detail && control.can(action) && control.press(action).release());
}

/** A touch on a button where a swipe turns the page: a press when it has rested or is lifted, none when it moves aside before. */
class Touch {
  /** undefined: that is not known yet. */
  isPress;
  #from;
  #decided = Promise.withResolvers();

  constructor(from) {
    this.#from = from;
    setTimeout(() => this.decide(true), REST);
  }

  get decided() { return this.#decided.promise; }

  decide(isPress) {
    this.isPress ??= isPress;
    this.#decided.resolve(this.isPress);
  }

  isSwipe({ clientX }) { return this.isPress === undefined && Math.abs(clientX - this.#from) > SWIPE; }
}

function releasesOutside(control) {
  const leave = control.attribute('leave', 'auto'), { look } = control.options;
  return leave === 'auto' ? look !== 'rpvertical' && platformOf(look) !== 'gtk' : leave === 'release';
}
