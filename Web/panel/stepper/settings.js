/** The parts of the configuration that the kiosk page needs, asked for as soon as a module runs: it waits for them. */
import { api } from './link/api.js';

export const settings = api.call('settings').catch(() => ({}));
