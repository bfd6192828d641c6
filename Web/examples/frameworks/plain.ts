// esbuild plain.ts --outfile=plain.js, and copy plain.html and plain.js into the folder that "pages" names.
import type { StepperControl } from '/usr/share/stepperd/panel/stepper.js';

const app = document.getElementById('app') as HTMLElement;
const said = document.createElement('p');
const volume: StepperControl = document.createElement('stepper-control');
volume.name = 'volume';
volume.look = 'uikit';

// By anybody: this page, another one, the knob. "input" and "change" are by the user of this element alone.
volume.addEventListener('stepper-change', ({ detail: { state, own } }) => {
  said.textContent = `${state.text ?? 'no value'}, ${own ? 'from here' : 'from elsewhere'}`;
});

const half = document.createElement('button');
half.textContent = 'Set to 50';
half.addEventListener('click', () => volume.set(50).catch((refusal: Error) => { said.textContent = refusal.message; }));
app.append(volume, half, said);
