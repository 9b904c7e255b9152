import * as answers from '../answers';
import { openApi } from '../openapi';
import { copyRoutes } from './copy';
import { csvRoutes } from './csv';
import { entityRoutes } from './entities';
import { fieldRoutes } from './fields';
import { formRoutes } from './forms';
import { gridRoutes } from './grids';
import { metaRoutes } from './meta';
import { publicLinkRoutes } from './publicLinks';
import { resourceRoutes } from './resources';
import { inOpen, type Route } from './route';
import { searchRoutes } from './search';
import { sharingRoutes } from './sharing';
import { spaceRoutes } from './spaces';
import { sviewRoutes } from './sviews';
import { userRoutes } from './users';
import { viewRoutes } from './views';

const description = inOpen('');

description.get('/openapi.json', 'open', {}, { answer: answers.document }, () => openApi(allRoutes));

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
	...publicLinkRoutes,
];
