import process, { exit } from 'node:process';
import { lastResort } from '../../../scripts/setup/interruption.mjs';

/**
 * For `node --import`: a test that is asked to end (its time is over, or Ctrl-C) takes with it all
 * processes that it started.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		for (const end of lastResort) end();
		exit(143);
	});
}
