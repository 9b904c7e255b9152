import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '..');
const PUBLISHED = ['nodes', 'credentials', 'client'];
const ROOMS = [...PUBLISHED, 'service'];

interface SourceFile {
	/** From the root, with forward slashes and without its ending, e.g. `client/hal/links`. */
	name: string;
	path: string;
	text: string;
	imports: string[];
}

function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
		return [path];
	});
}

const nameOf = (path: string) => path.split(sep).join('/').replace(/\.ts$/, '');

const sources: SourceFile[] = ROOMS.flatMap(filesBelow)
	.filter((path) => path.endsWith('.ts'))
	.map((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
		return { name: nameOf(path), path, text, imports };
	});

const inRoom = (...rooms: string[]) =>
	sources.filter(({ name }) => rooms.some((room) => name.startsWith(`${room}/`)));

/** What a file imports of this repository, as names from the root. */
function importsWithin(file: SourceFile): string[] {
	return file.imports
		.filter((specifier) => specifier.startsWith('.'))
		.map((specifier) => nameOf(relative(root, normalize(join(root, dirname(file.path), specifier)))))
		.map((name) => (sources.some((source) => source.name === name) ? name : `${name}/index`));
}

/** What a file imports from outside. */
const importsFromOutside = (file: SourceFile) =>
	file.imports.filter((specifier) => !specifier.startsWith('.'));

/** The arrows that go from some files to where they may not go, as `from -> to`. */
function arrows(from: SourceFile[], forbidden: (to: string, from: SourceFile) => boolean): string[] {
	return from.flatMap((file) =>
		importsWithin(file)
			.filter((to) => forbidden(to, file))
			.map((to) => `${file.name} -> ${to}`),
	);
}

const room = (name: string) => name.split('/')[0];

test('there are sources to look at in every room', () => {
	for (const name of ROOMS) expect(inRoom(name).length).toBeGreaterThan(0);
	expect(arrows(inRoom('nodes'), (to) => room(to) === 'client').length).toBeGreaterThan(0);
});

describe('who may import whom', () => {
	test('client/ imports only client/', () => {
		expect(arrows(inRoom('client'), (to) => room(to) !== 'client')).toEqual([]);
	});

	test('service/ imports only service/', () => {
		expect(arrows(inRoom('service'), (to) => room(to) !== 'service')).toEqual([]);
	});

	test('nodes/ and credentials/ import only nodes/, credentials/ and client/', () => {
		expect(arrows(inRoom('nodes', 'credentials'), (to) => !PUBLISHED.includes(room(to) ?? ''))).toEqual([]);
	});

	test('a node imports no other node, and nodes/shared imports none', () => {
		const nodeOf = (name: string) => name.split('/')[1];
		const crossing = arrows(
			inRoom('nodes'),
			(to, from) => room(to) === 'nodes' && nodeOf(to) !== 'shared' && nodeOf(to) !== nodeOf(from.name),
		);
		expect(crossing).toEqual([]);
	});

	test("the client's lower layers know nothing of its resources", () => {
		const layers = ['http', 'formats', 'errors', 'hal', 'endpoints', 'session'];
		for (const layer of layers) {
			const files = inRoom(`client/${layer}`);
			expect(files.length).toBeGreaterThan(0);
			expect(arrows(files, (to) => to.startsWith('client/resources/'))).toEqual([]);
		}
	});

	test('the transport imports nothing', () => {
		expect(sources.find(({ name }) => name === 'client/http/transport')?.imports).toEqual([]);
	});

	test('the trigger algorithm knows nothing of n8n', () => {
		const poll = sources.filter(({ name }) => name === 'nodes/GridTrigger/polling/poll');
		expect(poll).toHaveLength(1);
		expect(poll.flatMap(importsFromOutside).filter((specifier) => specifier.startsWith('n8n'))).toEqual([]);
	});
});

describe('what comes from outside', () => {
	test.each([
		['client', ['zod/v4', 'crypto']],
		['nodes', ['zod/v4', 'crypto', 'n8n-workflow']],
		['credentials', ['zod/v4', 'crypto', 'n8n-workflow']],
	])('%s/ imports only %j', (name, allowed) => {
		const outside = inRoom(name).flatMap((file) =>
			importsFromOutside(file)
				.filter((specifier) => !allowed.includes(specifier))
				.map((specifier) => `${file.name} -> ${specifier}`),
		);
		expect(outside).toEqual([]);
	});

	test('the database driver is imported only in service/store/', () => {
		const drivers = /sqlite|libsql/;
		const importing = inRoom('service').filter((file) =>
			importsFromOutside(file).some((name) => drivers.test(name)),
		);
		expect(importing.length).toBeGreaterThan(0);
		expect(importing.map(({ name }) => name).filter((name) => !name.startsWith('service/store/'))).toEqual(
			[],
		);
	});
});

describe('doors', () => {
	const uses = (files: SourceFile[], pattern: RegExp) =>
		files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

	test("n8n's HTTP helpers are called only where a transport is made", () => {
		expect(uses(inRoom('nodes'), /helpers\.(httpRequest|request)\w*|\{ request\b/)).toEqual([
			'nodes/shared/connection/connect',
		]);
	});

	test('a path of the service is spelled only in client/endpoints/endpoints', () => {
		expect(uses(inRoom('client', 'nodes'), /[`'"]\/api\/(users|types|nodeTypes|blocks|version)/)).toEqual([
			'client/endpoints/endpoints',
		]);
	});

	test('secrets are compared in constant time, in service/access alone', () => {
		expect(uses(sources, /timingSafeEqual/)).toEqual(['service/rules/access']);
		// By an operator, or by the database, whose time would tell how much of it is right.
		expect(
			uses(
				inRoom('service'),
				/(?:secret|password|signature)(?:_hash|Hash)?\)? *(?:[!=]==?(?!=)(?! *(?:undefined|null))|= *\?)/,
			),
		).toEqual([]);
	});
});

describe('walls', () => {
	test('no source is longer than 300 lines', () => {
		const long = sources.filter(({ text }) => text.split('\n').length > 301).map(({ name }) => name);
		expect(long).toEqual([]);
	});

	test('no rule is switched off in a source', () => {
		const switches = /eslint-disable|eslint-enable|@ts-(?:ignore|nocheck|expect-error)/;
		expect(sources.filter(({ text }) => switches.test(text)).map(({ name }) => name)).toEqual([]);
	});

	test('no folder has a name that says nothing', () => {
		const names = sources.flatMap(({ name }) => name.split('/').slice(0, -1));
		expect(names.filter((name) => ['utils', 'helpers', 'types', 'common', 'lib'].includes(name))).toEqual([]);
	});
});
