/** The glyphs: our own drawings as inline SVG in the current colour. */

const SVG = 'http://www.w3.org/2000/svg';

function node(name, attributes, children = []) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawing(box, path, attributes = {}) {
  const shape = node('path', { d: path, ...attributes });
  const made = node('svg', { viewBox: `0 0 ${box}`, 'aria-hidden': 'true', focusable: 'false' }, [shape]);
  made.setAttribute('class', 'glyph');
  return made;
}

/** Bars of a length and a width in a square box, as a plus or a minus. */
function bars(box, length, width, cap, plus) {
  const middle = box / 2;
  const reach = (cap === 'round' ? length - width : length) / 2;
  const across = `M${middle - reach} ${middle}h${reach * 2}`;
  const path = plus ? `${across}M${middle} ${middle - reach}v${reach * 2}` : across;
  return drawing(`${box} ${box}`, path, {
    stroke: 'currentColor', 'stroke-width': width, 'stroke-linecap': cap === 'round' ? 'round' : 'butt', fill: 'none',
  });
}

function chevron(width, height, stroke, up) {
  const box = [width + stroke, height + stroke];
  const [low, high] = up ? [height + stroke / 2, stroke / 2] : [stroke / 2, height + stroke / 2];
  return drawing(box.join(' '), `M${stroke / 2} ${low}L${box[0] / 2} ${high}L${width + stroke / 2} ${low}`, {
    stroke: 'currentColor', 'stroke-width': stroke, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none',
  });
}

/** RPVerticalStepper's symbol has its own gradient, whose ends are tokens. */
function engraved(plus) {
  const made = bars(15, 12.5, 2.5, 'butt', plus);
  const stops = ['top', 'bottom'].map((end) => {
    const stop = node('stop', { offset: end === 'top' ? 0 : 1 });
    stop.setAttribute('class', `stop-${end}`);
    return stop;
  });
  made.prepend(node('linearGradient', {
    id: plus ? 'plus' : 'minus', gradientUnits: 'userSpaceOnUse', x1: 0, y1: 1, x2: 0, y2: 14,
  }, stops));
  const shape = made.querySelector('path');
  shape.setAttribute('class', plus ? 'shape-plus' : 'shape-minus');
  shape.setAttribute('stroke', plus ? 'url(#plus)' : 'url(#minus)');
  return made;
}

/** Bars of each look: box, length, width, ends. */
const BARS = {
  uikit: [17, 14, 2, 'round'], gtk: [16, 10, 2, 'butt'], material: [24, 14, 2, 'butt'],
};

const ARROWS = { regular: 9, small: 7, mini: 5 };

/**
 * @param {string} drawnAs uikit, appkit, winui, gtk, material or rpvertical
 * @param {boolean} plus
 * @param {string} size of an appkit stepper
 * @returns {SVGElement}
 */
export function stepGlyph(drawnAs, plus, size) {
  if (drawnAs === 'appkit') {
    const width = (ARROWS[size] ?? 9) - 1.5;
    return chevron(width, width / 2, 1.5, plus);
  }
  if (drawnAs === 'winui') {
    return drawing('12 12', plus ? 'M2 8l4-4l4 4' : 'M2 4l4 4l4-4', {
      stroke: 'currentColor', 'stroke-width': 1, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none',
    });
  }
  if (drawnAs === 'rpvertical') return engraved(plus);
  const [box, length, width, cap] = BARS[drawnAs];
  return bars(box, length, width, cap, plus);
}

/** The mark of a field that has a flyout, and of a menu: chevrons up and down, or one down. */
export function upDown() {
  return drawing('12 12', 'M3 4.5L6 1.5L9 4.5M3 7.5L6 10.5L9 7.5', {
    stroke: 'currentColor', 'stroke-width': 1, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none',
  });
}

export function down() {
  return drawing('12 12', 'M2 4.25L6 8.25L10 4.25', {
    stroke: 'currentColor', 'stroke-width': 1.25, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none',
  });
}

/** The ring of a level: its path length is 100, so that a dash is a percentage. */
export function arc() {
  const made = drawing('10 100', 'M2.5 95Q7.5 50 2.5 5', {});
  const track = made.firstChild;
  track.setAttribute('class', 'arc-track');
  track.setAttribute('pathLength', '100');
  const level = track.cloneNode();
  level.setAttribute('class', 'arc-level');
  made.append(level);
  made.setAttribute('preserveAspectRatio', 'none');
  made.setAttribute('class', 'arc');
  return { made, level };
}
