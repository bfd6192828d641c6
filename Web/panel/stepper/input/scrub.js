/** A drag of the label, with a mouse or a pen: right is more. A finger scrolls the page there. */

/** CSS pixels of a detent, and before it is a drag. */
const DETENT = 4, SLACK = 4;

/** @param {(detents: number, unit: string) => void} turn */
export function bindScrub(control, on, turn) {
  const { label } = control.view.parts;
  let from;
  label.style.cursor = 'ew-resize';
  on(label, 'mousedown', (event) => event.preventDefault());
  on(label, 'pointerdown', ({ button, pointerId, pointerType, clientX }) => {
    if (button || pointerType === 'touch' || control.kind !== 'continuous') return;
    from = { pointerId, x: clientX, drags: false };
    label.setPointerCapture(pointerId);
  });
  on(label, 'pointermove', ({ pointerId, clientX, shiftKey, buttons }) => {
    if (from?.pointerId !== pointerId || !control.writable || !(buttons & 1)) return;
    from.drags ||= Math.abs(clientX - from.x) >= SLACK;
    const detents = from.drags ? Math.trunc((clientX - from.x) / DETENT) : 0;
    if (!detents) return;
    from.x += detents * DETENT;
    turn(control.rightToLeft ? -detents : detents, shiftKey ? 'page' : 'step');
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) on(label, type, () => { from = undefined; });
}
