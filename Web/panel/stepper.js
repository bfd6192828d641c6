/**
 * `<stepper-control>`, `<stepper-panel>` and `<stepper-connection>`: the controls of stepperd in a page. Loading the
 * module twice defines them once.
 */
import { pageLanguage } from './stepper/dom.js';
import { StepperControl } from './stepper/element.js';
import { StepperPanel } from './stepper/list.js';
import { StepperConnection } from './stepper/session.js';
import { StepperError } from './stepper/link/api.js';
import { prepareNumbers } from './stepper/words/numbers.js';
import { addStrings, loadStrings } from './stepper/words/strings.js';

await loadStrings('en');
for (const [name, element] of [
  ['stepper-connection', StepperConnection], ['stepper-control', StepperControl], ['stepper-panel', StepperPanel],
]) {
  if (!customElements.get(name)) customElements.define(name, element);
}
// They have asked for their controls.
if (document.querySelector('stepper-control, stepper-panel')) prepareNumbers(pageLanguage());

export { StepperConnection, StepperControl, StepperError, StepperPanel, addStrings };
