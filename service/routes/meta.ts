import { BACKEND_VERSION } from '../http/openapi';
import * as answers from '../http/responseSchemas';
import { blockSamples, nodeTypes } from '../rules/blockTypes';
import { fieldTypeNames } from '../rules/fieldTypeNames';
import { jsonSchemaOf } from '../rules/fieldTypes';
import { inOpen } from './scopes';

const meta = inOpen('');

meta.get('/types', 'open', {}, { answer: answers.types }, () =>
	fieldTypeNames.map((name) => ({ name, schema: jsonSchemaOf({ name }) })),
);

meta.get('/nodeTypes', 'open', {}, { answer: answers.names }, () => nodeTypes);

meta.get('/blocks', 'open', { space: 'blocks' }, { answer: answers.blocks }, blockSamples);

/** For monitoring: whether the service can read its data. */
meta.get('/health', 'open', {}, { answer: answers.health }, (call) => {
	call.store.check();
	return { status: 'ok' };
});

meta.get('/version', 'open', {}, { answer: answers.text }, () => BACKEND_VERSION);

export const metaRoutes = meta.routes;
