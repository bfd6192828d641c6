/** Types of stepper.js: `<stepper-control>`, `<stepper-panel>` and `<stepper-connection>`. */

/** The state of a control, as `org.stepperd.control` has it. Absent fields are absent. */
export interface StepperState {
  control: string;
  /** The double nearest the exact decimal; a choice has its index. Absent: unset */
  value?: number;
  /** The value in the C locale: a decimal, the name of the choice, "on" or "off". Absent: unset */
  text?: string;
  limit: StepperLimit;
  origin: string;
  live: boolean;
  turned: number;
  presses: number;
  pressed: boolean;
  editing: boolean;
  editingOrigin?: 'device' | 'client';
  canIncrement: boolean;
  canDecrement: boolean;
  sequence: number;
  monotonicMicroseconds: number;
}

export interface StepperDescription {
  control: string;
  kind: 'continuous' | 'choice' | 'toggle' | 'button';
  profile: string;
  family?: string;
  title?: string;
  titles?: Record<string, string>;
  subtitle?: string;
  subtitles?: Record<string, string>;
  group?: string;
  groupTitle?: string;
  groupTitles?: Record<string, string>;
  unit?: string;
  minimum?: number;
  maximum?: number;
  step?: number;
  page?: number;
  digits?: number;
  precision?: number;
  format: { style: 'decimal' | 'percent' | 'currency'; currency?: string; significantDigits?: number; grouping: boolean };
  choices?: string[];
  choiceTitles?: string[];
  choiceTranslations?: Record<string, string>[];
  wrap: boolean;
  writable: boolean;
  default?: number;
  expressions?: boolean;
  hasInputs?: boolean;
  enabled?: boolean;
  mayBeUnset?: boolean;
  numeric?: boolean;
  autorepeat?: boolean;
  continuous?: boolean;
  spoken?: boolean;
}

export interface StepperMoment {
  control: string;
  moment: string;
  effect: string;
  value?: number;
  text?: string;
  speech: string;
  device?: string;
  hold?: string;
  monotonicMicroseconds: number;
}

export type StepperLimit = 'none' | 'minimum' | 'maximum' | 'both';
export type StepperAction =
  'increment' | 'decrement' | 'pageIncrement' | 'pageDecrement' | 'toMinimum' | 'toMaximum' | 'reset' | 'push';
export type StepperLook =
  'auto' | 'uikit' | 'uikit/ios7' | 'swiftui' | 'swiftui/macos' | 'appkit' | 'winui' | 'winui/source' | 'gtk' | 'gtk/source' |
  'adwaita' | 'adwaita/source' | 'material' | 'wear' | 'rpvertical' | 'slider' | 'picker';

/** Why a call was refused. `code` is the name of the daemon's error; "Disconnected": there was no answer. */
export class StepperError extends Error {
  readonly code: string;
  readonly parameters: Record<string, unknown>;
  /** Whether the same call may be answered a little later. */
  readonly temporary: boolean;
}

/** Something that is held; it ends by `release()`, with the page, or a second after the page fell silent. */
export interface StepperHold {
  readonly id: string;
  readonly control: string;
  /** Whether the engine holds it; false: ignored, for example by `second-press` */
  readonly held: boolean;
  readonly mode: 'engine' | 'step' | 'set';
  /** Of the last answer */
  readonly state: StepperState;
  readonly released: boolean;
  /** Kept when the daemon has answered. */
  release(): Promise<void>;
}

export interface StepperControlEventMap {
  /** A value was published while this element's user moves it. */
  input: CustomEvent<undefined>;
  /** A gesture of this element's user ended, and changed the value. */
  change: CustomEvent<undefined>;
  'stepper-change': CustomEvent<{ state: StepperState; own: boolean }>;
  'stepper-limit': CustomEvent<{ limit: StepperLimit }>;
  'stepper-moment': CustomEvent<StepperMoment>;
  /** Cancelable: then nothing is drawn. */
  'stepper-error': CustomEvent<{ error: StepperError }>;
  'stepper-connection': CustomEvent<{ connected: boolean }>;
}

export class StepperControl extends HTMLElement {
  static readonly formAssociated: true;
  /** The control's name */
  name: string;
  look: StepperLook | '';
  as: 'stepper' | 'field' | 'slider' | 'wheel' | 'segmented' | 'menu' | 'switch' | '';
  orientation: 'horizontal' | 'vertical' | '';
  size: 'regular' | 'small' | 'mini' | 'compact' | '';
  spinButtons: 'hidden' | 'compact' | 'inline' | '';
  layout: 'control' | 'row' | 'separated' | '';
  shape: 'full' | '';
  label: string;
  subtitle: string;
  placeholder: string;
  unit: string;
  valueDisplay: 'auto' | 'hidden' | 'start' | 'end' | '';
  scheme: 'light' | 'dark' | '';
  contrast: 'aa' | 'original' | '';
  hit: 'touch' | 'visual' | '';
  announce: 'auto' | 'polite' | 'off' | '';
  haptics: 'auto' | 'off' | '';
  sound: 'on' | 'off' | '';
  /** "on" opens the keypad for a mouse, too */
  keypad: 'auto' | 'on' | 'off' | '';
  leave: 'auto' | 'release' | 'hold' | '';
  rail: 'jump' | 'thumb' | '';
  iconRendering: 'template' | 'original' | '';
  disabled: boolean;
  readonly: boolean;
  required: boolean;

  /** The value, null while unset or unknown; setting it sends it. */
  value: number | null;
  /** The exact value in the C locale */
  readonly text: string | null;
  /** The value as a screen reader says it */
  readonly valueText: string;
  readonly state: StepperState | null;
  readonly description: StepperDescription | null;
  readonly limit: StepperLimit;
  /** Whether a device that feeds it is connected */
  readonly live: boolean;
  /** Whether a gesture is in progress, also elsewhere */
  readonly editing: boolean;
  readonly connected: boolean;
  readonly canIncrement: boolean;
  readonly canDecrement: boolean;
  /** Who repeats a held button: the daemon, nobody, or it cannot be pressed */
  readonly hold: 'engine' | 'step' | 'none';
  readonly type: string;
  readonly form: HTMLFormElement | null;
  readonly labels: NodeListOf<HTMLLabelElement>;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;

  stepUp(n?: number): Promise<StepperState>;
  stepDown(n?: number): Promise<StepperState>;
  pageUp(): Promise<StepperState>;
  pageDown(): Promise<StepperState>;
  /** A number, a text in the C locale or an expression, or null to unset. */
  set(value: number | string | null, options?: { clamp?: boolean; ifSequence?: number }): Promise<StepperState>;
  reset(): Promise<StepperState>;
  /** Holds an action with the feel of the control. */
  press(action?: StepperAction): Promise<StepperHold>;
  checkValidity(): boolean;
  reportValidity(): boolean;

  addEventListener<K extends keyof StepperControlEventMap>(
    type: K, listener: (this: StepperControl, event: StepperControlEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** All controls that match, in the configuration's order. Attributes: match, group, and those that it hands to its controls. */
export class StepperPanel extends HTMLElement {
  /** How many controls it shows */
  readonly length: number;
}

/** Where the controls are (href), whether it asks for a token (token-prompt), and whether the page speaks (announce="off"). */
export class StepperConnection extends HTMLElement {
  readonly connected: boolean;
  readonly phase: 'connecting' | 'connected' | 'disconnected';
  /** "token" where one is needed, the server's words, or "" */
  readonly problem: string;
  signIn(token: string): Promise<void>;
  signOut(): Promise<void>;
}

/** Adds or replaces words of a language: see strings/en.json. */
export function addStrings(language: string, words: Record<string, string>): void;

declare global {
  interface HTMLElementTagNameMap {
    'stepper-control': StepperControl;
    'stepper-panel': StepperPanel;
    'stepper-connection': StepperConnection;
  }
}
