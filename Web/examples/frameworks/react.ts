// esbuild react.ts --bundle --minify --format=esm --outfile=react.js, with NODE_PATH=/usr/share/nodejs for Debian's node-react and
// node-react-dom; copy react.html and react.js into the folder that "pages" names.
import { createElement, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { StepperControl, StepperState } from '/usr/share/stepperd/panel/stepper.js';

/** An element for the tree, and the state of its control, which also the knob changes. */
function useStepper(name: string, attributes: Partial<Record<string, string>> = {}) {
  const element = useRef<StepperControl>(null);
  const [state, setState] = useState<StepperState | null>(null);
  useEffect(() => {
    const control = element.current;
    if (!control) return undefined;
    const follow = () => setState(control.state);
    control.addEventListener('stepper-change', follow);
    follow();
    return () => control.removeEventListener('stepper-change', follow);
  }, [name]);
  // React writes attributes of custom elements, and hears none of their events by itself.
  return { state, element, view: createElement('stepper-control', { key: name, name, ref: element, ...attributes }) };
}

function App() {
  const { state, element, view } = useStepper('volume', { look: 'material' });
  const half = createElement('button', { key: 'half', onClick: () => element.current?.set(50).catch(() => {}) }, 'Set to 50');
  return createElement('div', null, view, half, createElement('p', { key: 'said' }, state?.text ?? 'no value'));
}

createRoot(document.getElementById('app') as HTMLElement).render(createElement(App));
