// Allowed imports between modules, checked by `npm run deps`.

/** @param {string[]} paths regular expressions, from the root */
const anyOf = (...paths) => paths.map((path) => `^(?:${path})`);

/**
 * Rules for layers, listed from top to bottom: a layer may import itself and those below it.
 * @param {string} name
 * @param {string[]} layers regular expressions, from the root
 */
function layered(name, ...layers) {
	return layers.slice(1).map((layer, index) => {
		const above = layers.slice(0, index + 1);
		return {
			name,
			comment: `${layer} is below ${above.join(', ')}`,
			severity: 'error',
			from: { path: anyOf(layer), pathNot: anyOf(...above) },
			to: { path: anyOf(...above) },
		};
	});
}

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const PACKAGES = 'node_modules/';

export default {
	forbidden: [
		forbid('no-circles', 'Circular imports are not allowed.', {}, { circular: true }),
		forbid('resolvable', 'The imported file or package exists.', {}, { couldNotResolve: true }),
		...layered(
			'client-layers',
			'client/index',
			'client/resources/',
			'client/lists/',
			'client/session/',
			'client/endpoints/',
			'client/hal/',
			'client/http/',
			'client/(formats|errors)/',
		),
		...layered(
			'nodes-layers',
			'nodes/(?!shared/)',
			'nodes/shared/runner/',
			'nodes/shared/inputs/',
			'nodes/shared/rows/',
			'nodes/shared/connection/',
			'nodes/shared/display/',
			'credentials/',
			'client/',
		),
		...layered(
			'rows-layers',
			'nodes/Entity/(Entity\\.node|operations)',
			'nodes/Entity/(entity|history)/',
			'nodes/Entity/file/',
			'nodes/Entity/writing/',
			'nodes/Entity/reading/',
			'nodes/Entity/keys/',
		),
		...layered(
			'service-layers',
			'service/(main|server)',
			'service/cli/',
			'service/http/app',
			'service/routes/',
			'service/http/',
			'service/store/',
			'service/rules/',
		),
		...layered(
			'page-layers',
			'service/page/page',
			'service/page/guest/',
			'service/page/grid/',
			'service/page/presentations/',
			'service/page/rows/',
			'service/page/structure/',
			'service/page/sharing/',
			'service/page/values/',
			'service/page/elements/',
			'service/page/session/',
		),
		...layered('one-way', 'test/', 'bench/', 'testbed/', '(nodes|service)/', 'credentials/', 'client/'),
		forbid(
			'client-entrance',
			'What nodes use of the client is exported by client/index.ts.',
			{ path: '^nodes/' },
			{ path: '^client/', pathNot: '^client/index' },
		),
		forbid(
			'nodes-apart',
			'Code that several nodes need belongs in nodes/shared.',
			{ path: '^nodes/([^/]+)/' },
			{ path: '^nodes/', pathNot: '^nodes/($1|shared)/' },
		),
		forbid(
			'two-readings',
			'Service and client are independent readings of the specification.',
			{ path: '^service/' },
			{ path: anyOf('client/', 'nodes/', 'credentials/') },
		),
		forbid(
			'published',
			'The published package consists of these folders.',
			{ path: anyOf('client/', 'nodes/', 'credentials/') },
			{ pathNot: anyOf('client/', 'nodes/', 'credentials/', PACKAGES, 'crypto$') },
		),
		forbid(
			'published-packages',
			"n8n's scanner allows no other packages, and the client runs without n8n.",
			{ path: anyOf('client/', 'nodes/', 'credentials/') },
			{ path: PACKAGES, pathNot: ['node_modules/zod/(?:dist/types/)?v4/', 'node_modules/n8n-workflow/'] },
		),
		forbid(
			'client-without-n8n',
			'The client runs without n8n.',
			{ path: '^client/' },
			{ path: 'n8n-workflow/' },
		),
		forbid(
			'transport-alone',
			'Implementing a transport must require this file only.',
			{ path: '^client/http/transport' },
			{},
		),
		forbid(
			'trigger-algorithm',
			'The simulation runs the algorithm without n8n.',
			{ path: '^nodes/shared/feed/' },
			{ path: anyOf('nodes/(?!shared/feed/)', 'credentials/', 'node_modules/n8n') },
		),
		forbid(
			'database-driver',
			'Only the store may access the database.',
			{ path: '^service/', pathNot: anyOf('service/store/', 'service/cli/backup') },
			{ path: ['sqlite', 'libsql'] },
		),
		forbid(
			'scripts-alone',
			'Scripts start other code as separate processes, except for benchmark results, endpoints and the simulation of the trigger.',
			{ path: '^scripts/' },
			{
				path: anyOf('client/', 'nodes/', 'credentials/', 'service/', 'testbed/', 'bench/', 'test/'),
				pathNot: anyOf('bench/results', 'client/endpoints/endpoints', 'test/simulation/trigger/prove'),
			},
		),
		forbid(
			'before-install',
			'These files run before any package is installed.',
			{
				path: anyOf('scripts/(engine|setup|run|service)\\.mjs', 'scripts/setup/'),
				pathNot: 'setup/(checks|jestTally|lockfile)',
			},
			{ path: PACKAGES },
		),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: PACKAGES },
		exclude: { path: ['^dist', '^build/'] },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'types'],
		},
	},
};
