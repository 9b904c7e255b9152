import { z } from 'zod/v4';
import { startTestServer, type TestServer } from '../testServer';

/** A contact as the CRM stores it. */
export interface Contact {
	id: string;
	name: string;
	email: string | null;
	phone: string | null;
	plan: string;
}

/** What goes wrong with one request: a status, no response, or a response that is lost. */
export interface CrmFault {
	method: 'GET' | 'PATCH';
	kind: 429 | 500 | 'silence' | 'lost';
}

export interface Crm extends TestServer {
	contacts: Map<string, Contact>;
	/** Each applies to the next request of its method that has none. */
	faults: CrmFault[];
}

/** Maximum number of contacts in one response, whatever is asked for. */
const CAP = 5;

const changeSchema = z.object({ email: z.string().nullable(), phone: z.string().nullable() });

export const contactOf = (number: number): Contact => ({
	id: `C-${String(100 + number)}`,
	name: `Contact ${String(number)}`,
	email: `contact${String(number)}@example.com`,
	phone: `+49 30 ${String(5000 + number)}`,
	plan: number % 2 === 0 ? 'basic' : 'premium',
});

/** Starts a CRM that stores email addresses in lower case and returns few contacts at a time. */
export async function startCrm(port = 0): Promise<Crm> {
	const samples = Array.from({ length: 2 * CAP + 2 }, (_, at) => contactOf(at + 1));
	const contacts = new Map(samples.map((contact) => [contact.id, contact]));
	const faults: CrmFault[] = [];
	const server: TestServer = await startTestServer((request, response, body) => {
		const { method, url = '' } = request;
		const at = faults.findIndex((fault) => fault.method === method);
		const kind = at < 0 ? undefined : faults.splice(at, 1)[0]?.kind;
		if (kind === 'silence') return;
		if (typeof kind === 'number') {
			response.writeHead(kind).end();
			return;
		}
		const { status, json } = answer(method, new URL(url, server.url), body);
		if (kind === 'lost') response.destroy();
		else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
	}, port);

	function answer(method: string | undefined, url: URL, body: string): { status: number; json: object } {
		const [, collection, id] = url.pathname.split('/');
		if (collection !== 'contacts') return { status: 404, json: {} };
		if (method === 'GET' && id === undefined) return { status: 200, json: search(url) };
		const contact = contacts.get(id ?? '');
		if (method !== 'PATCH' || !contact) return { status: 404, json: {} };
		const change = changeSchema.safeParse(JSON.parse(body));
		if (!change.success) return { status: 400, json: {} };
		const changed = { ...contact, ...change.data };
		contacts.set(contact.id, { ...changed, email: changed.email?.toLowerCase() ?? null });
		return { status: 200, json: changed };
	}

	/** The next contacts after one, in the order of their IDs. */
	function search(url: URL): object {
		const after = url.searchParams.get('after') ?? '';
		const rest = [...contacts.values()]
			.filter(({ id }) => id > after)
			.sort((one, other) => one.id.localeCompare(other.id));
		const page = rest.slice(0, CAP);
		url.searchParams.set('after', page.at(-1)?.id ?? '');
		return { contacts: page, next: rest.length > CAP ? url.href : null };
	}

	return { ...server, contacts, faults };
}
