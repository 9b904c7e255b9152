import * as responses from '../http/responseSchemas';
import { openApi } from '../http/openapi';
import { copyRoutes } from './structure/copy';
import { csvRoutes } from './rows/csv';
import { entityRoutes } from './rows/entities';
import { fieldRoutes } from './structure/fields';
import { formRoutes } from './rows/forms';
import { gridLinkRoutes } from './people/gridLinks';
import { gridRoutes } from './structure/grids';
import { joiningRoutes } from './people/joining';
import { metaRoutes } from './meta';
import { publicLinkRoutes } from './people/publicLinks';
import { resourceRoutes } from './structure/resources';
import { HttpResponse, type Route } from '../http/route';
import { inOpen } from './scopes';
import { restoringRoutes } from './structure/restoring';
import { searchRoutes } from './rows/search';
import { sharingRoutes } from './people/sharing';
import { spaceRoutes } from './structure/spaces';
import { sviewRoutes } from './structure/sviews';
import { userRoutes } from './people/users';
import { viewRoutes } from './structure/views';

const description = inOpen('');

let described: string | undefined;

// Generated once: it is expensive and public.
description.get('/openapi.json', 'open', { response: responses.document }, () => {
	described ??= JSON.stringify(openApi(allRoutes));
	return new HttpResponse(200, { 'Content-Type': 'application/json; charset=utf-8' }, described);
});

/**
 * Every endpoint of the service. Access checks, `_links` and the OpenAPI description derive from
 * it.
 */
export const allRoutes: readonly Route[] = [
	...metaRoutes,
	...description.routes,
	...userRoutes,
	...spaceRoutes,
	...copyRoutes,
	...resourceRoutes,
	...sharingRoutes,
	...joiningRoutes,
	...gridRoutes,
	...fieldRoutes,
	...restoringRoutes,
	...viewRoutes,
	...sviewRoutes,
	...formRoutes,
	...csvRoutes,
	...searchRoutes,
	...entityRoutes,
	...gridLinkRoutes,
	...publicLinkRoutes,
];
