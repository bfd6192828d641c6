/** Calls of the HTTP interface. */

/** Why a call was refused: `code` is the name of the error ("OutOfRange"), "Disconnected" without any answer. */
export class StepperError extends Error {
  constructor(code, message, parameters = {}) {
    super(message);
    this.name = 'StepperError';
    this.code = code;
    this.parameters = parameters;
  }

  /** Whether the same call may be answered a little later. */
  get temporary() { return /^(Disconnected|Stopping|TooMany.*|HTTP(429|5..))$/.test(this.code); }
}

export const api = {
  /** Where the interface is; `<stepper-connection href>` changes it before the first call. */
  base: new URL('../../api/v1/', import.meta.url).href,

  /** @returns {Promise<object>} the answer; rejects with StepperError. `milliseconds` bounds the wait. */
  async call(path, body, { keepalive = false, milliseconds = 5000, method = body ? 'POST' : 'GET' } = {}) {
    let response, answer;
    try {
      response = await fetch(this.base + path, {
        method, keepalive, cache: 'no-store', credentials: 'same-origin',
        headers: method === 'GET' ? {} : { 'Content-Type': 'application/json', 'X-Stepper': '1' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(milliseconds),
      });
      answer = await response.json().catch(() => ({}));
    } catch (cause) {
      throw new StepperError('Disconnected', String(cause.message));
    }
    if (response.ok) return answer;
    const name = answer.error ?? `HTTP${response.status}`;
    throw new StepperError(name.slice(name.lastIndexOf('.') + 1), answer.detail ?? name, answer.parameters);
  },
};

/** The path of a control. */
export const pathOf = (name) => `controls/${encodeURIComponent(name)}`;
