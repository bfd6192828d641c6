/** A tap on a part: of a touch that overlaps another one browsers make no click. */

/** CSS pixels: so far outside a part it is left. */
export const LEAVE = 16;

/** How far outside; inside it is less than 0. */
export function distance(part, { clientX, clientY }) {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom);
}

/** Acts when a finger is lifted, and at the click of what is none: a mouse, a key, a reader. @param on as `listen` of dom.js */
export function bindTap(on, part, act) {
  const touches = new Set();
  let pointer;
  on(part, 'pointerdown', ({ pointerId, pointerType }) => {
    pointer = pointerType;
    if (pointer === 'touch') touches.add(pointerId);
  });
  on(part, 'pointerup', (event) => {
    if (touches.delete(event.pointerId) && distance(part, event) <= LEAVE) act();
  });
  // It scrolls.
  on(part, 'pointercancel', ({ pointerId }) => touches.delete(pointerId));
  on(part, 'click', ({ detail }) => {
    const isTouch = detail && pointer === 'touch';
    pointer = undefined;
    if (!isTouch) act();
  });
}
