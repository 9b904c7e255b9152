import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod/v4';
import { resources as entity } from '../nodes/Entity/operations';
import { resources as form } from '../nodes/Form/operations';
import { resources as grid } from '../nodes/Grid/operations';
import type { Resource } from '../nodes/shared/runner/operation';
import { resources as space } from '../nodes/Space/operations';
import { allows, roles } from '../service/rules/access';
import { allRoutes } from '../service/routes/all';

const root = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** Every page that people read, from the root. */
const pages = [
	'.',
	'docs',
	'docs/nodes',
	'docs/development',
	'examples',
	'service',
	'deploy',
	'bench',
].flatMap((folder) =>
	existsSync(join(root, folder))
		? readdirSync(join(root, folder))
				.filter((name) => name.endsWith('.md'))
				.map((name) => join(folder, name))
		: [],
);

/** A page without its blocks of code. */
const prose = (page: string) => textOf(page).replace(/^\s*```[\s\S]*?^\s*```/gm, '');

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
	const headings = prose(page)
		.split('\n')
		.flatMap((line) => /^#+\s+(.*)/.exec(line)?.[1] ?? []);
	return new Set(
		headings.map((text) =>
			text
				.toLowerCase()
				.replace(/[^\p{L}\p{N}\s_-]/gu, '')
				.trim()
				.replace(/\s/g, '-'),
		),
	);
}

describe.each(pages)('%s', (page) => {
	it('links to what is there', () => {
		const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
		const broken = targets.filter((target) => {
			if (/^[a-z]+:/.test(target)) return false;
			const [path = '', anchor] = target.split('#');
			const file = path === '' ? page : join(dirname(page), path);
			if (!existsSync(join(root, file))) return true;
			return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
		});
		expect(broken).toEqual([]);
	});

	it('names npm scripts that there are', () => {
		const { scripts } = z
			.object({ scripts: z.record(z.string(), z.string()) })
			.parse(JSON.parse(textOf('package.json')));
		const said = textOf(page);
		const named = [...said.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
		if (/npm start/.test(said)) named.push('start');
		if (/npm test/.test(said)) named.push('test');
		expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
	});

	it('gives each picture a caption of its own', () => {
		const captions = [...prose(page).matchAll(/!\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
		expect(captions.filter((caption, at) => captions.indexOf(caption) !== at)).toEqual([]);
	});

	it('names files and folders that there are', () => {
		const named = [
			...prose(page).matchAll(/`((?:client|nodes|service|testbed|test|bench|scripts|docs)\/[\w./-]+)`/g),
		];
		const missing = named.map((match) => match[1] ?? '').filter((path) => !existsSync(join(root, path)));
		expect(missing).toEqual([]);
	});
});

test('links from code into this repository lead to a file and a heading', () => {
	const BLOB = /https:\/\/github\.com\/n8n-nodes-datagrid\/n8n-nodes-datagrid\/blob\/main\/([^\s'"`)]+)/g;
	const links = ['client', 'credentials', 'nodes', 'service', '.github'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((path) => /\.(?:ts|json|md|yml)$/.test(path))
			.flatMap((path) => [...textOf(join(folder, path)).matchAll(BLOB)].map((match) => match[1] ?? '')),
	);
	expect(links.length).toBeGreaterThan(10);
	const broken = links.filter((link) => {
		const [path = '', anchor] = link.split('#');
		return !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(path).has(anchor));
	});
	expect(broken).toEqual([]);
});

test('docs/README.md leads to each page of the documentation', () => {
	const linked = [...textOf('docs/README.md').matchAll(/\]\(([^)#\s]+)/g)].map((match) =>
		join('docs', match[1] ?? ''),
	);
	const wanted = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
	expect(wanted.filter((page) => !linked.includes(page))).toEqual([]);
});

describe('docs/nodes', () => {
	const generated = pages.filter((page) => page.startsWith('docs/nodes/'));

	it('opens each page with what only this node does', () => {
		const openings = generated.map((page) =>
			textOf(page)
				.split('\n')
				.find((line) => /^[A-Z]/.test(line)),
		);
		const sentences = openings.map((text) => text?.split(' Its type in a workflow')[0]);
		expect(new Set(sentences).size).toBe(generated.length);
	});

	it('names every mode of the pickers', () => {
		expect(textOf('docs/nodes/entity.md')).toMatch(
			/\| Grid \(required\) +\| from a list, by key, by URL or by ID +\|/,
		);
	});
});

describe('docs/errors.md', () => {
	const sources = ['client', 'nodes'].flatMap((room) =>
		readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.ts'))
			.map((path) => textOf(join(room, path))),
	);
	const classes = sources.flatMap((text) =>
		[...text.matchAll(/^(?:export )?(?:abstract )?class (\w+) extends \w*Error\b/gm)].map(
			(match) => match[1] ?? '',
		),
	);
	// They only carry what others say, or are made where a message of their own stands.
	const spoken = classes.filter(
		(name) =>
			![
				'DataGridError',
				'PassingError',
				'StatusError',
				'InvalidInput',
				'EndlessPages',
				'FeedUnusable',
			].includes(name),
	);
	const page = textOf('docs/errors.md');

	it('has headings that begin with a word', () => {
		expect(page.match(/^#+ [^\p{L}].*/gmu)).toBeNull();
	});

	it.each(spoken)('says what %s means', (name) => {
		expect(page).toContain(`(\`${name}\`)`);
	});
});

describe('docs/permissions.md', () => {
	const USER = '/api/users/:userId';
	const SPACE = `${USER}/spaces/:spaceId`;
	const GRID = `${SPACE}/grids/:gridId`;
	const sections = textOf('docs/permissions.md').split(/^### /m).slice(1);
	const rows = sections.flatMap((section) =>
		section.split('\n').flatMap((line) => {
			const [, resource = '', operation = '', needs = '', endpoints = ''] = line
				.split('|')
				.map((text) => text.trim());
			const node = section.split('\n')[0] ?? '';
			if (!line.startsWith('|') || /^-+$/.test(resource) || resource === 'resource') return [];
			return [{ node, resource, operation, needs, endpoints: [...endpoints.matchAll(/`([^`]+)`/g)] }];
		}),
	);
	const nodes: Array<[string, readonly Resource[]]> = [
		['DataGrid Space', space],
		['DataGrid Grid', grid],
		['DataGrid', entity],
		['DataGrid Form', form],
	];

	it.each(nodes)('names each operation of %s', (node, resources) => {
		const wanted = resources.flatMap(({ name, operations }) =>
			operations.map((one) => `${name}: ${one.name}`),
		);
		const told = rows.filter((row) => row.node === node).map((row) => `${row.resource}: ${row.operation}`);
		expect(told.sort()).toEqual(wanted.sort());
	});

	it.each(rows.filter(({ endpoints }) => endpoints.length > 0))(
		'$node, $resource, $operation: the least role that the service lets through',
		({ needs, endpoints }) => {
			const asked = endpoints.map(([, endpoint = '']) => {
				const [method, short = ''] = endpoint.split(' ');
				const path = short
					.replace(/^GRID/, GRID)
					.replace(/^SPACE/, SPACE)
					.replace(/^USER/, USER);
				const route = allRoutes.find((one) => one.method === method && one.path === path);
				expect(route && endpoint).toBe(endpoint);
				// It needs credentials of any role, which the service checks in the handler.
				if (route?.path === '/api/users/me') return 'reader';
				return route?.role ?? 'open';
			});
			const enough = roles.filter((role) => asked.every((one) => one === 'open' || allows(role, one)));
			if (needs === 'the link')
				expect(endpoints.every(([, one = '']) => /\/api\/[ar]\//.test(one))).toBe(true);
			else if (asked.every((one) => one === 'open')) expect(needs).toBe('none');
			else {
				const held = roles.find((role) => role === needs);
				expect(enough).toContain(held);
				const weaker = enough.filter((role) => held !== role && held !== undefined && allows(held, role));
				expect(weaker).toEqual([]);
			}
		},
	);
});
