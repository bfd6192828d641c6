/** Where the controls of a kiosk page go: which columns and pages, how large. Computes only; kiosk.js measures and places. */

/** By how much everything is enlarged. */
export const STEPS = Object.freeze([1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 8]);
/** CSS pixels: between cards and around the page, and within a card. */
const GAP = 12, PAD = 4;
/** Headings grow no further: the controls are what is looked at. */
const MOST_HEADING = 3;
export const headingScale = (scale) => Math.min(scale, MOST_HEADING);

/** The least scale at which what is made for an arm's length, 0.7 m, is as large to the eye at `metres`. */
export function leastScale(metres) {
  const wanted = metres / 0.7;
  return STEPS.find((step) => step >= wanted - 0.01) ?? STEPS.at(-1);
}

/**
 * @param {{group: string, sizes: Record<string, {width: number, height: number}>}[]} controls with their natural sizes by mode
 * @param {{width: number, height: number, heading: number}} room and the height of a heading at scale 1
 * @returns {{mode: string, scale: number, columns: number, pages: number, cells: object[], headings: object[], cards: object[]}}
 */
export function arrangeCells(controls, room, least = 1) {
  const planned = (steps) => ['row', 'stack'].flatMap((mode) => columnCounts(controls.length).map((columns) => best(controls, room, mode, columns, steps)))
    .filter(Boolean).sort((a, b) => a.pages - b.pages || b.scale - a.scale || b.slack - a.slack)[0];
  const steps = [...STEPS].reverse();
  // Where the screen has no room for the least scale, as without it; and at 1 whatever that is.
  const plan = planned(steps.filter((step) => step >= least)) ?? planned(steps) ?? attempt(controls, room, 'stack', 1, 1, true);
  return place(plan, room);
}

const columnCounts = (count) => [1, 2, 3, 4, 5, 6, 8].filter((columns) => columns <= Math.max(1, count));

/** The largest scale with the fewest pages. */
function best(controls, room, mode, columns, steps) {
  let found;
  for (const scale of steps) {
    const plan = attempt(controls, room, mode, columns, scale);
    if (plan && (!found || plan.pages < found.pages)) found = plan;
    if (found?.pages === 1) break;
  }
  return found;
}

function attempt(controls, room, mode, columns, scale, always) {
  const width = Math.max(...controls.map(({ sizes }) => sizes[mode].width)) * scale + 2 * PAD;
  const cell = (room.width - GAP) / columns - GAP;
  const height = Math.max(...controls.map(({ sizes }) => sizes[mode].height)) * scale + 2 * PAD, head = room.heading * headingScale(scale);
  if ((width > cell || height + (controls.some(({ group }) => group) ? head : 0) > room.height - 2 * GAP) && !always) return undefined;
  const most = room.height - 2 * GAP, filled = (limit, whole) => fill(controls, limit, height, head, { whole, always });
  const pages = Math.ceil(filled(most).length / columns);
  // A group stays together where that needs no more pages.
  const whole = filled(most, true).length <= columns * pages;
  // As even as can be: the lowest height that needs no more pages.
  let [low, high] = [height, most];
  for (let round = 0; round < 12; round += 1) {
    const middle = (low + high) / 2;
    if (filled(middle, whole).length <= columns * pages) high = middle;
    else low = middle;
  }
  return { mode, scale, columns, pages, filled: filled(high, whole), slack: Math.min(cell / width, most / high) };
}

/** Columns of parts of groups, none higher than `limit`: each column has parts `{group, again, from, count}`. */
function fill(controls, limit, height, head, { whole, always }) {
  const columns = [];
  let used = Infinity, part;
  controls.forEach(({ group }, index) => {
    const same = part?.group === group;
    const heading = group ? head : 0;
    let needed = same ? height : height + heading + (part ? GAP : 0);
    const all = heading + height * controls.filter((one) => one.group === group).length;
    const apart = whole && !same && all <= limit && used + needed - height - heading + all > limit + 0.5;
    if (used + needed > limit + 0.5 || apart || (always && columns.length)) {
      columns.push([]);
      used = 0;
      needed = height + heading;
      part = undefined;
    }
    if (!part || part.group !== group) {
      part = { group, again: index > 0 && controls[index - 1].group === group, from: index, count: 0 };
      columns.at(-1).push(part);
    }
    part.count += 1;
    used += needed;
  });
  return columns;
}

/** Lengths in CSS pixels; x counts on over the pages. All cells of a page have one height, which fills its highest column. */
function place({ mode, scale, columns, pages, filled }, room) {
  const width = (room.width - GAP) / columns - GAP, heading = room.heading * headingScale(scale);
  const own = (parts) => parts.reduce((sum, { group }) => sum + (group ? heading : 0), 0) + GAP * (parts.length - 1);
  const count = (parts) => parts.reduce((sum, part) => sum + part.count, 0);
  const heights = filled.map((parts) => (room.height - 2 * GAP - own(parts)) / count(parts));
  const cells = [], headings = [], cards = [];
  filled.forEach((parts, at) => {
    const page = Math.floor(at / columns), height = Math.min(...heights.slice(page * columns, (page + 1) * columns)), x = page * room.width + GAP + (at % columns) * (width + GAP);
    let y = GAP;
    for (const { group, again, from, count: number } of parts) {
      if (group) headings.push({ group, again, page, x, y, width, height: heading });
      if (group) y += heading;
      cards.push({ x, y, width, height: height * number });
      for (let index = 0; index < number; index += 1, y += height) cells[from + index] = { page, x, y, width, height, first: index === 0 };
      y += GAP;
    }
  });
  return { mode, scale, columns, pages, cells, headings, cards };
}
