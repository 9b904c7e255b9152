import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

const root = resolve(__dirname, '..');
const PUBLISHED = ['nodes', 'credentials', 'client'];
const LAYERS = [...PUBLISHED, 'service'];

interface SourceFile {
	/** From the root, with forward slashes and without its ending, e.g. `client/hal/links`. */
	name: string;
	path: string;
	text: string;
}

function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
		return [path];
	});
}

const nameOf = (path: string) => path.split(sep).join('/').replace(/\.ts$/, '');

const sources: SourceFile[] = LAYERS.flatMap(filesBelow)
	.filter((path) => path.endsWith('.ts'))
	.map((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		return { name: nameOf(path), path, text };
	});

const inLayer = (...layers: string[]) =>
	sources.filter(({ name }) => layers.some((layer) => name.startsWith(`${layer}/`)));

test('every layer has sources to check', () => {
	for (const name of LAYERS) expect(inLayer(name).length).toBeGreaterThan(0);
});

describe('entry points', () => {
	const uses = (files: SourceFile[], pattern: RegExp) =>
		files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

	test("n8n's HTTP helpers are called only by the transports", () => {
		expect(
			uses(inLayer('nodes'), /helpers\.(httpRequest|request)\w*|\{ request\b[^}]*\} = [\w.]*helpers\b/),
		).toEqual(['nodes/shared/connection/connect']);
	});

	test('paths of the service are written only in client/endpoints/endpoints', () => {
		expect(uses(inLayer('client', 'nodes'), /[`'"]\/api\/(users|types|nodeTypes|blocks|version)/)).toEqual([
			'client/endpoints/endpoints',
		]);
	});

	test('secrets are compared in constant time, in service/access alone', () => {
		expect(uses(sources, /timingSafeEqual/)).toEqual(['service/rules/access']);
		// By an operator, or by the database, whose time would tell how much of it is right.
		expect(
			uses(
				inLayer('service'),
				/(?:secret|password|signature)(?:_hash|Hash)?\)? *(?:[!=]==?(?!=)(?! *(?:undefined|null))|= *\?)/,
			),
		).toEqual([]);
	});
});

describe('sources', () => {
	test('no source disables a lint rule', () => {
		const switches = /eslint-disable|eslint-enable|@ts-(?:ignore|nocheck|expect-error)/;
		expect(sources.filter(({ text }) => switches.test(text)).map(({ name }) => name)).toEqual([]);
	});

	test('no folder has a meaningless name', () => {
		const names = sources.flatMap(({ name }) => name.split('/').slice(0, -1));
		expect(names.filter((name) => ['utils', 'helpers', 'types', 'common', 'lib'].includes(name))).toEqual([]);
	});
});
