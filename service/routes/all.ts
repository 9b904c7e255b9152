import * as answers from '../http/responseSchemas';
import { openApi } from '../http/openapi';
import { copyRoutes } from './copy';
import { csvRoutes } from './csv';
import { entityRoutes } from './entities';
import { fieldRoutes } from './fields';
import { formRoutes } from './forms';
import { gridLinkRoutes } from './gridLinks';
import { gridRoutes } from './grids';
import { metaRoutes } from './meta';
import { publicLinkRoutes } from './publicLinks';
import { resourceRoutes } from './resources';
import { HttpResponse, type Route } from '../http/route';
import { inOpen } from './scopes';
import { searchRoutes } from './search';
import { sharingRoutes } from './sharing';
import { spaceRoutes } from './spaces';
import { sviewRoutes } from './sviews';
import { userRoutes } from './users';
import { viewRoutes } from './views';

const description = inOpen('');

let described: string | undefined;

// Made once: it takes long, and anybody may ask for it.
description.get('/openapi.json', 'open', {}, { answer: answers.document }, () => {
	described ??= JSON.stringify(openApi(allRoutes));
	return new HttpResponse(200, { 'Content-Type': 'application/json; charset=utf-8' }, described);
});

/** Every endpoint of the service: what the server guards, `_links` are made from and the OpenAPI description lists. */
export const allRoutes: readonly Route[] = [
	...metaRoutes,
	...description.routes,
	...userRoutes,
	...spaceRoutes,
	...copyRoutes,
	...resourceRoutes,
	...sharingRoutes,
	...gridRoutes,
	...fieldRoutes,
	...viewRoutes,
	...sviewRoutes,
	...formRoutes,
	...csvRoutes,
	...searchRoutes,
	...entityRoutes,
	...gridLinkRoutes,
	...publicLinkRoutes,
];
