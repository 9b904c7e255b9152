import { AccessKeys } from './resources/accessKeys';
import { Entities } from './resources/entities';
import { Fields } from './resources/fields';
import { Forms } from './resources/forms';
import { Grids } from './resources/grids';
import { History } from './resources/history';
import { Meta } from './resources/meta';
import { PublicLinks } from './resources/publicLinks';
import { Session, type SessionOptions } from './session/session';
import { Shares } from './resources/shares';
import { Spaces } from './resources/spaces';
import { StatefulViews } from './resources/statefulViews';
import type { Transport } from './http/transport';
import { Updates } from './resources/updates/updates';
import { Users } from './resources/users';
import { Views } from './resources/views';

/**
 * The service's API, one member per resource. It caches what it reads, so create one per execution.
 */
export interface Client {
	readonly session: Session;
	readonly users: Users;
	readonly accessKeys: AccessKeys;
	readonly meta: Meta;
	readonly spaces: Spaces;
	readonly shares: Shares;
	readonly grids: Grids;
	readonly fields: Fields;
	readonly entities: Entities;
	readonly history: History;
	readonly updates: Updates;
	readonly views: Views;
	readonly statefulViews: StatefulViews;
	readonly forms: Forms;
	readonly publicLinks: PublicLinks;
	/** A copy of this client with a lower maximum of concurrent requests. */
	limitedTo(ceiling: number): Client;
}

/**
 * @param options.transport how requests are sent, with the credentials
 * @param options.baseUrl address of the service, with or without a path prefix, a trailing slash or
 * `/api`
 * @param options.retry overrides the default retry policy; false: each call is sent once
 * @param options.ceiling maximum number of concurrent requests; 64 if omitted
 * @throws InvalidInput if the base URL is unusable
 */
export function createClient(options: { transport: Transport; baseUrl: string } & SessionOptions): Client {
	const session = new Session(options.transport, options.baseUrl, options);
	const spaces = new Spaces(session);
	const grids = new Grids(session, spaces);
	const fields = new Fields(session);
	return {
		session,
		users: new Users(session),
		accessKeys: new AccessKeys(session),
		meta: new Meta(session),
		spaces,
		shares: new Shares(session),
		grids,
		fields,
		entities: new Entities(session, fields, grids),
		history: new History(session),
		updates: new Updates(session),
		views: new Views(session),
		statefulViews: new StatefulViews(session),
		forms: new Forms(session, grids),
		publicLinks: new PublicLinks(session),
		limitedTo: (ceiling) => createClient({ ...options, ceiling }),
	};
}
