import { read, send } from './api';
import * as schemas from './schemas';

let last: Promise<void> = Promise.resolve();

/**
 * Changes the properties of a grid, one change after the other. The service stores them as a whole,
 * so each change starts from those that others may have written meanwhile.
 * @param change returns the changed members
 */
export function changeProperties(
	{ _links }: schemas.GridSummary,
	change: (properties: schemas.Grid['properties']) => schemas.Grid['properties'],
) {
	const write = async () => {
		const properties = (await read(_links.self, schemas.grid)).properties;
		await send(_links.update, { body: { properties: { ...properties, ...change(properties) } } });
	};
	const written = last.then(write);
	last = written.catch(() => undefined);
	return written;
}
