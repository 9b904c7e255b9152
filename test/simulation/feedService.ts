import type { IncomingMessage, ServerResponse } from 'node:http';
import { startTestServer, type TestServer } from '../../testbed/testServer';
import { pageOf } from '../fixtures/pageOf';

const GRID = '/api/users/u1/spaces/s1/grids/g1';
const VIEW = '/api/users/u1/spaces/s1/grids/v1';
const link = (href: string) => ({ href, method: 'get' });

/** A service with one grid; a test sets the responses of its updates feed, history and rows. */
export class FeedService {
	/** Responds to `GET GRID/updates`: returns a body, or writes the response itself. */
	updates: (query: URLSearchParams, response: ServerResponse) => unknown = () => [];
	/** Returns the history of any row. */
	events: (query: URLSearchParams, response: ServerResponse) => unknown = (query) => pageOf([], query);
	/** Returns the rows of a view. */
	entities: (query: URLSearchParams, response: ServerResponse) => unknown = (query) => pageOf([], query);
	/** Returns a row that is read through the view, at any path below it; undefined for 404. */
	rowInView: (path: string) => object | undefined = () => undefined;
	/** The views that the grid lists; its only view if omitted. */
	views: object[] | undefined;
	/** Returns a row that is read by its ID; undefined for 404. */
	row: (row: { _id: string }) => object | undefined = () => undefined;
	/** Filter and sorting of the view. */
	definition: object = {};
	/** The columns of the grid. */
	fields: object[] = [{ id: 'f1', name: 'Amount', key: 'amount', type: { name: 'integer' }, schema: {} }];
	/** Further links of the grid. */
	links: () => Record<string, unknown> = () => ({});
	/** Returns the body for any other path; undefined for 404. */
	other: (path: string) => unknown = () => undefined;
	/** What the base URL of the credential ends with. */
	entered = '';
	/** Paths and queries of the requests so far. */
	readonly requests: string[] = [];

	private constructor(readonly server: TestServer) {}

	static async start(): Promise<FeedService> {
		const services: FeedService[] = [];
		const server = await startTestServer((request, response) => {
			for (const service of services) service.serve(request, response);
		});
		const service = new FeedService(server);
		services.push(service);
		return service;
	}

	/** Credentials of the nodes. */
	get credentials() {
		return {
			dataGridApi: {
				baseUrl: this.server.url + this.entered,
				authentication: 'apiKey',
				key: 'the-key',
				secret: 'the-secret',
			},
		};
	}

	get grid() {
		return { __rl: true, mode: 'list', value: 's1/g1' };
	}

	private serve(request: IncomingMessage, response: ServerResponse): void {
		this.requests.push(request.url ?? '');
		const { pathname, searchParams } = new URL(request.url ?? '/', this.server.url);
		const path = pathname;
		const body = this.bodyOf(path, searchParams, response);
		if (response.writableEnded) return;
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(body));
	}

	private bodyOf(path: string, query: URLSearchParams, response: ServerResponse): unknown {
		if (path === `${GRID}/updates`) return this.updates(query, response);
		if (path.endsWith('/events')) return this.events(query, response);
		if (path === `${GRID}/entities`) return this.entities(query, response);
		const single = /\/grids\/g1\/entities\/([^/]+)$/.exec(path)?.[1];
		const read = single === undefined ? undefined : this.row({ _id: single });
		if (read) return read;
		if (path === '/api/users/me') return { id: 'u1', _links: {} };
		const { fields } = this;
		const view = { ...GRID_BODY, fields, id: 'v1', type: 'virtual', ...this.definition };
		if (path === VIEW) return view;
		if (path === `${GRID}/virtualgrids`) return pageOf(this.views ?? [view], query);
		const row = path.startsWith(`${VIEW}/entities/`) ? this.rowInView(path) : undefined;
		if (row) return row;
		if (path === GRID) return { ...GRID_BODY, fields, _links: { ...GRID_BODY._links, ...this.links() } };
		const other = this.other(path);
		if (other === undefined) response.writeHead(404).end('{}');
		return other;
	}

	async stop(): Promise<void> {
		await this.server.stop();
	}
}

const GRID_BODY = {
	_representation: 'full',
	id: 'g1',
	name: 'Orders',
	type: 'persistent',
	metaType: 'grid',
	_links: {
		self: link(GRID),
		entities: link(`${GRID}/entities`),
		addEntity: { href: `${GRID}/entities`, method: 'post' },
		schema: link(`${GRID}/schema`),
		virtualGrids: link(`${GRID}/virtualgrids`),
	},
};
