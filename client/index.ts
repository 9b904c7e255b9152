import { Entities } from './entities';
import { Fields } from './fields';
import { Grids } from './grids';
import { Session, type SessionOptions } from './session';
import { Spaces } from './spaces';
import { StatefulViews } from './statefulViews';
import type { Transport } from './transport';
import { Users } from './users';
import { Views } from './views';

/** The service's API, one member for each resource. Holds what it opened: make one for each execution. */
export interface Client {
	readonly session: Session;
	readonly users: Users;
	readonly spaces: Spaces;
	readonly grids: Grids;
	readonly fields: Fields;
	readonly entities: Entities;
	readonly views: Views;
	readonly statefulViews: StatefulViews;
}

/**
 * @param options.transport how requests are sent, with the credentials
 * @param options.baseUrl where the service is, with or without a path prefix, a trailing slash or `/api`
 * @param options.retry how calls are repeated, where it is to differ from the default; false: each is sent once
 * @param options.ceiling how many requests may be on their way at a time at most; 64 where it is left out
 * @throws InvalidInput where the base URL cannot be used
 */
export function createClient(options: { transport: Transport; baseUrl: string } & SessionOptions): Client {
	const session = new Session(options.transport, options.baseUrl, options);
	const users = new Users(session);
	const spaces = new Spaces(session, users);
	return {
		session,
		users,
		spaces,
		grids: new Grids(session, users, spaces),
		fields: new Fields(session),
		entities: new Entities(session),
		views: new Views(session),
		statefulViews: new StatefulViews(session),
	};
}
