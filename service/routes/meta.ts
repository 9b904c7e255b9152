import { fieldTypeNames, jsonSchemaOf } from '../fieldTypes';
import { inOpen } from './route';

/** §9 */
export const BACKEND_VERSION = '2.4.1348';

const meta = inOpen('');

meta.get('/version', 'open', {}, () => BACKEND_VERSION);

meta.get('/types', 'open', {}, () =>
	fieldTypeNames.map((name) => ({ name, schema: jsonSchemaOf({ name }) })),
);

export const metaRoutes = meta.routes;
