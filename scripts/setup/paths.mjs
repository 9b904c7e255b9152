import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Full output of every command that setting up runs; git-ignored. */
export const logFolder = join(root, 'build', 'logs');

/** What `npm start` keeps between starts; git-ignored. */
export const dataFolder = join(root, '.data');
