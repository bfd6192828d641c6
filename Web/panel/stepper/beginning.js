/** What the page of the panel begins with, in one answer that index.html asks for beside the script: the settings and the list. */
import { api } from './link/api.js';

/** Without a token, and while the daemon is away, the settings alone. */
export const beginning = api.call('controls?settings=1').catch(async () => ({ settings: await api.call('settings') })).catch(() => ({}));
