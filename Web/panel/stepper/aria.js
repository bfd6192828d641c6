/** What assistive technology is told of a control, by properties, in the frame of the visible text. */
import { put } from './dom.js';
import { say } from './words/strings.js';

/** @param {Control} control @param {object} model as drawn */
export function describe(control, model) {
  const { parts } = control.view, { as, orientation } = control.options, { language, state } = control;
  const main = control.main;
  const inert = String(!control.operable);
  const common = {
    ariaLabel: control.label, ariaDisabled: inert, ariaBusy: control.connecting ? 'true' : null,
    ariaDescription: control.description_(),
  };
  for (const [part, word, able] of [[parts.increment, 'increase', 'Increment'], [parts.decrement, 'decrease', 'Decrement']]) {
    put(part, { ariaLabel: say(language, word, { name: control.label }), ariaDisabled: String(!model[`can${able}`]), tabIndex: -1 });
  }
  if (as === 'stepper' || as === 'field') {
    const described = model.error ? 'error' : null;
    put(main, {
      ...common, role: 'spinbutton', ariaValueNow: numeric(state?.value), ariaValueText: control.valueText,
      ariaValueMin: numeric(model.minimum), ariaValueMax: numeric(model.maximum),
      ariaReadOnly: control.readonly ? 'true' : null, ariaRequired: control.host.required ? 'true' : null,
      ariaInvalid: model.error ? 'true' : null,
    });
    tie(main, { 'aria-describedby': described, 'aria-errormessage': described });
    if (as === 'field') put(main, { readOnly: !control.writable });
    else put(main, { tabIndex: 0 });
  } else if (as === 'slider') {
    put(main, {
      ...common, ariaValueText: control.valueText, ariaReadOnly: null,
      ariaOrientation: orientation === 'vertical' ? 'vertical' : null,
    });
    const { minimum, maximum } = model;
    put(main, { min: String(minimum), max: String(maximum), step: 'any' });
    if (control.dragged === null && state?.value !== undefined) put(main, { value: String(state.value) });
  } else if (as === 'switch') {
    put(main, { ...common, role: 'switch', ariaChecked: String(model.on), ariaReadOnly: control.readonly ? 'true' : null });
  } else if (as === 'button') {
    put(main, common);
  } else if (as === 'menu') {
    put(main, { ...common, disabled: !control.writable });
  } else {
    list(control, parts, common, model);
  }
}

function list(control, parts, common, { choices, index }) {
  const wheel = parts.wheel;
  put(control.main, {
    ...common, role: wheel ? 'listbox' : 'radiogroup', ariaReadOnly: wheel && control.readonly ? 'true' : null,
    ...(wheel ? { tabIndex: 0 } : {}),
  });
  if (wheel) tie(wheel, { 'aria-activedescendant': index === null ? null : `option-${index}` });
  parts.options?.forEach((option, at) => {
    const chosen = at === index;
    put(option, {
      role: wheel ? 'option' : 'radio', ariaLabel: choices[at], ariaPosInSet: String(at + 1), ariaSetSize: String(choices.length),
      ...(wheel ? { id: `option-${at}`, ariaSelected: String(chosen) }
        : { ariaChecked: String(chosen), tabIndex: chosen || (index === null && !at) ? 0 : -1 }),
    });
    // The focus follows the choice.
    if (chosen && !wheel && option.getRootNode().activeElement !== option && parts.options.includes(option.getRootNode().activeElement)) {
      option.focus();
    }
  });
}

const numeric = (value) => (value === undefined || value === null ? null : String(value));

/** References within the shadow root. */
function tie(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) === value) continue;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}
