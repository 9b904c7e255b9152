import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Logs of all setup commands; git-ignored. */
export const logFolder = join(root, 'build', 'logs');

/** Data of `npm start`; git-ignored. */
export const dataFolder = join(root, '.data');
