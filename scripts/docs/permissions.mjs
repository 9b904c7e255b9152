import { z } from 'zod/v4';
import { withGenerated } from './generated.mjs';

/** The parts of the client's endpoints that the page shows. */
export const endpointsSchema = z.object({
	endpoints: z.record(z.string(), z.object({ method: z.string(), path: z.string(), role: z.string() })),
});

/** @typedef {z.infer<typeof endpointsSchema>['endpoints']} Endpoints */

/** An operation without a documented address (client/resources/shares.ts). */
const LINK = 'link';
const ofLink = { method: '', path: 'a link of the response', role: 'admin' };

/**
 * Endpoints that each operation uses: node, resource, operation, names in the client's table.
 * Reading the grid for its columns is omitted.
 * @type {Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>}
 */
const OPERATIONS = {
	'DataGrid Space': {
		Space: {
			Copy: 'spaceCopy',
			Create: 'spaceCreate',
			Delete: 'spaceDelete',
			Get: 'spaceGet resourceList',
			'Get Many': 'spaceList',
			Update: 'spaceUpdate',
		},
		Share: {
			Create: 'shareCreate invitationCreate',
			Delete: `shareList invitationList ${LINK}`,
			'Get Many': 'shareList invitationList',
		},
		'Access Key': { Create: 'accessKeyCreate', Delete: 'accessKeyDelete', 'Get Many': 'accessKeyList' },
		Service: { 'Get Info': 'currentUser version fieldTypes blockTypes flowNodeTypes' },
	},
	'DataGrid Grid': {
		Grid: {
			Create: 'gridCreate',
			'Create From CSV': 'gridUpload',
			Delete: 'gridDelete',
			Get: 'gridGet gridSchema',
			'Get Many': 'gridList',
			Update: 'gridUpdate',
		},
		Column: {
			'Add Missing': 'columnAdd',
			Create: 'columnAdd',
			Delete: 'columnRemove',
			Get: 'fieldGet',
			'Get Many': 'gridGet',
			Update: 'columnRename columnKeyChange columnTypeChange fieldUpdate',
		},
		View: {
			Create: 'viewCreate',
			Delete: 'viewDelete',
			Get: 'gridGet',
			'Get Many': 'viewList',
			Update: 'viewReplace viewFilterChange',
		},
		'Board or Calendar': {
			Create: 'statefulViewCreate',
			Delete: 'statefulViewDelete',
			Get: 'statefulViewGet statefulViewSchema',
			'Get Many': 'statefulViewList',
			Update: 'statefulViewUpdate',
		},
		Share: {
			Create: 'statefulViewShareCreate',
			Delete: `statefulViewShareList ${LINK}`,
			'Get Many': 'statefulViewShareList',
		},
	},
	DataGrid: {
		Row: {
			Count: 'entityList',
			Create: 'entityCreate',
			'Create or Update': 'entityList entityCreate entityUpdate',
			Delete: 'entityDelete',
			'Delete Many': 'entityList entityDelete',
			Export: 'entityList gridExport',
			Get: 'entityGet',
			'Get Many': 'entityList entitySearch',
			'Import From File': 'entityList entityGet entityCreate entityUpdate entityDelete',
			'Look Up': 'entityList',
			Sync: 'entityList entityCreate entityUpdate entityDelete',
			Update: 'entityUpdate',
			'Update Many': 'entityList entityUpdate',
		},
		History: {
			'Confirm Changes': 'entityGet entityUpdate',
			'Get Changes': 'updateList',
			'Get Many': 'eventList',
			Restore: 'eventList entityUpdate',
			'Undo Changes': 'entityGet entityCreate entityUpdate entityDelete',
		},
	},
	'DataGrid Form': {
		Form: { Get: 'formGet', 'Get Many': 'formList', Submit: 'formSubmit' },
	},
	'DataGrid Public Link': {
		Form: { Get: 'publicFormGet', Submit: 'publicFormSubmit' },
		Row: { Get: 'publicRowGet', Update: 'publicRowUpdate' },
		View: { 'Get Rows': 'publicRowList' },
	},
	'DataGrid Push Notification': { '–': { Send: '' } },
	'DataGrid Trigger': { Trigger: { 'Created, updated, deleted': 'updateList' } },
};

const NAMES = [
	['/api/users/{userId}/spaces/{spaceId}/grids/{gridId}', 'GRID'],
	['/api/users/{userId}/spaces/{spaceId}', 'SPACE'],
	['/api/users/{userId}', 'USER'],
];

/** @param {string} path */
function shortPath(path) {
	for (const [long = '', short = ''] of NAMES)
		if (path.startsWith(long)) return short + path.slice(long.length);
	return path;
}

/** Lowest role that may perform all given operations (§5). @param {readonly string[]} roles */
function leastRole(roles) {
	if (roles.length === 0) return 'the push credential';
	if (roles.includes('link')) return 'the link';
	if (roles.includes('admin')) return 'admin';
	const isMixed = roles.includes('reader') && roles.includes('creator');
	if (roles.includes('writer') || isMixed) return 'writer';
	return roles.find((role) => role !== 'none') ?? 'none';
}

/**
 * Updates the generated part of the permissions page.
 * @param {string} page current text
 * @param {Endpoints} endpoints
 */
export function withPermissions(page, endpoints) {
	/** @type {string[]} */
	const lines = [];
	for (const [node, resources] of Object.entries(OPERATIONS)) {
		lines.push(
			'',
			`### ${node}`,
			'',
			'| resource | operation | needs | endpoints |',
			'| --- | --- | --- | --- |',
		);
		for (const [resource, operations] of Object.entries(resources))
			for (const [operation, names] of Object.entries(operations)) {
				const used = names
					.split(' ')
					.filter(Boolean)
					.map((name) => (name === LINK ? ofLink : (endpoints[name] ?? missing(name))));
				const paths =
					used
						.map(({ method, path }) => (method === '' ? path : `\`${method} ${shortPath(path)}\``))
						.join(', ') || '–';
				const role = leastRole(used.map((endpoint) => endpoint.role));
				lines.push(`| ${resource} | ${operation} | ${role} | ${paths.replace(/\{(\w+)\}/g, ':$1')} |`);
			}
	}
	return withGenerated(page, lines.join('\n'));
}

/** @param {string} name @returns {never} */
function missing(name) {
	throw new Error(`client/endpoints/endpoints.ts has no row "${name}"`);
}
