/** What is known of controls: records `{description, state, accessibility}` by control. */

/** Of a snapshot. */
export const recordsOf = ({ controls }) => new Map(controls.map((record) => [record.description.control, record]));

/** The record with a state that comes later; undefined: it is older than an acknowledged answer, an echo of the past. */
export function renewed(record, state, accessibility = record?.accessibility) {
  return record && state.sequence >= record.state.sequence ? { ...record, state, accessibility } : undefined;
}

/** Whether a state says what another one did. A life of the daemon, and a reload of it, counts its changes from the beginning. */
export function isSame(state, other, isOtherLife) {
  if (!isOtherLife) return state.sequence === other.sequence;
  const said = ({ sequence, monotonicMicroseconds, ...rest }) => JSON.stringify(rest, Object.keys(rest).sort());
  return said(state) === said(other);
}

/** The records that a change renews. */
export function changed(records, { states, accessibility = [] }) {
  const spoken = (name) => accessibility.find(({ control }) => control === name);
  return states.map((state) => renewed(records.get(state.control), state, spoken(state.control))).filter(Boolean);
}
