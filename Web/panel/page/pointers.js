/** The pointers that are down. */
export const down = new Set();

for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
  addEventListener(type, ({ pointerId }) => (type === 'pointerdown' ? down.add(pointerId) : down.delete(pointerId)), true);
}
