import { send } from './api';

let last = Promise.resolve();

/**
 * Changes the properties of a grid, one change after the other. The service stores them as a whole,
 * so each change starts from those that others may have written meanwhile.
 * @param change returns the changed members
 */
export function changeProperties({ _links }, change) {
	const write = async () => {
		const properties = (await send(_links.self)).properties ?? {};
		await send(_links.update, { body: { properties: { ...properties, ...change(properties) } } });
	};
	const written = last.then(write);
	last = written.catch(() => undefined);
	return written;
}
