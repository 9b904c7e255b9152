import { entityRoutes } from './entities';
import { fieldRoutes } from './fields';
import { gridRoutes } from './grids';
import { metaRoutes } from './meta';
import type { Route } from './route';
import { spaceRoutes } from './spaces';
import { userRoutes } from './users';

/** Every endpoint of the service: what the server guards, `_links` are made from and the OpenAPI description lists. */
export const allRoutes: readonly Route[] = [
	...metaRoutes,
	...userRoutes,
	...spaceRoutes,
	...gridRoutes,
	...fieldRoutes,
	...entityRoutes,
];
