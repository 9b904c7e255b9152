import { aspect, type Settings } from '../aspect';

/**
 * Where the service is: below a path of the host (§ "All addresses are relative to {base_url}").
 */
export const base = aspect({
	prefix: ['', '/grids', '/a/b', '/v1/api', '/api'],
	slash: [false, true],
});
export type Base = Settings<typeof base.dials>;
