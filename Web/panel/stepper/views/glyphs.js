/** The glyphs: our own drawings, which the style sheets stroke in the current colour. */

const SVG = 'http://www.w3.org/2000/svg';

/** Size of the box, then the paths of minus and plus. */
const DRAWINGS = {
  uikit: ['17 17', 'M2.5 8.5h12', 'M2.5 8.5h12M8.5 2.5v12'],
  gtk: ['16 16', 'M3 8h10', 'M3 8h10M8 3v10'],
  material: ['24 24', 'M5 12h14', 'M5 12h14M12 5v14'],
  rpvertical: ['15 15', 'M1.25 7.5h12.5', 'M1.25 7.5h12.5M7.5 1.25v12.5'],
  winui: ['12 12', 'M2 4l4 4l4-4', 'M2 8l4-4l4 4'],
  appkit: ['9 5.4', 'M.75 .8l3.75 3.75l3.75-3.75', 'M.75 4.55l3.75-3.75l3.75 3.75'],
  small: ['7 4.2', 'M.75 .75l2.75 2.7l2.75-2.7', 'M.75 3.45l2.75-2.7l2.75 2.7'],
  mini: ['5 3', 'M.75 .6l1.75 1.75l1.75-1.75', 'M.75 2.4l1.75-1.75l1.75 1.75'],
};

function drawing(classes, box, ...paths) {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('class', classes);
  made.setAttribute('viewBox', `0 0 ${box}`);
  made.setAttribute('aria-hidden', 'true');
  for (const path of paths) {
    const shape = document.createElementNS(SVG, 'path');
    shape.setAttribute('d', path);
    made.append(shape);
  }
  return made;
}

export function stepGlyph(drawnAs, isPlus) {
  const [box, minus, plus] = DRAWINGS[drawnAs];
  return drawing('glyph', box, isPlus ? plus : minus);
}

/** The mark of a menu, or of a field with a flyout. */
export function mark(isDouble) {
  return drawing('glyph', '12 12', isDouble ? 'M3 4.5L6 1.5L9 4.5M3 7.5L6 10.5L9 7.5' : 'M2 4L6 8L10 4');
}

/** The arc of a level; its second path is 100 long. */
export function arc() {
  const path = 'M3 127Q15 65 3 3';
  const made = drawing('arc', '14 130', path, path);
  made.lastChild.setAttribute('pathLength', 100);
  return made;
}
