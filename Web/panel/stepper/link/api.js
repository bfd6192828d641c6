/** Calls of the HTTP interface. */
import { home } from '../files.js';

/** 22 characters of base64url; `randomUUID` would need a secure context. */
export function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).slice(0, 22).replaceAll('+', '-').replaceAll('/', '_');
}

/** Why a call was refused: `code` is the error's name ("OutOfRange"); "Disconnected": there was no answer. */
export class StepperError extends Error {
  name = 'StepperError';

  constructor(code, message, parameters = {}) {
    super(message);
    Object.assign(this, { code, parameters });
  }

  /** Whether the same call may be answered a little later. */
  get temporary() { return /^(Disconnected|Stopping|TooMany.*|HTTP(429|5..))$/.test(this.code); }
}

export const api = {
  base: new URL('api/v1/', home).href,

  /** @returns {Promise<object>} the answer, or a StepperError */
  async call(path, body, { milliseconds = 5000, method = body ? 'POST' : 'GET', keepalive } = {}) {
    let response, answer;
    try {
      response = await fetch(this.base + path, {
        method, keepalive, cache: 'no-store', signal: AbortSignal.timeout(milliseconds), body: body && JSON.stringify(body),
        headers: method === 'GET' ? {} : { 'Content-Type': 'application/json', 'X-Stepper': '1' },
      });
      answer = await response.json().catch(() => ({}));
    } catch (cause) {
      throw new StepperError('Disconnected', cause.message);
    }
    if (response.ok) return answer;
    const name = answer.error ?? `HTTP${response.status}`;
    throw new StepperError(name.split('.').pop(), answer.detail ?? name, answer.parameters);
  },
};
