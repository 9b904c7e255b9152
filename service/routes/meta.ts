import { BACKEND_VERSION } from '../http/openapi';
import * as responses from '../http/responseSchemas';
import { blockSamples, nodeTypes } from '../rules/blockTypes';
import { fieldTypeNames } from '../rules/fieldTypeNames';
import { jsonSchemaOf } from '../rules/fieldTypes';
import { inOpen } from './scopes';

const meta = inOpen('');

meta.get('/types', 'open', { response: responses.types }, () =>
	fieldTypeNames.map((name) => ({ name, schema: jsonSchemaOf({ name }) })),
);

meta.get('/nodeTypes', 'open', { response: responses.names }, () => nodeTypes);

meta.get('/blocks', 'open', { on: { space: 'blocks' }, response: responses.blocks }, blockSamples);

/** For monitoring: whether the service can read its data. */
meta.get('/health', 'open', { response: responses.health }, (call) => {
	call.store.check();
	return { status: 'ok' };
});

meta.get('/version', 'open', { response: responses.text }, () => BACKEND_VERSION);

export const metaRoutes = meta.routes;
