/** Name of an operation in the description. */
export interface OperationName {
	/** Client generators derive function names from it. */
	readonly operationId: string;
	readonly tag: string;
	readonly summary: string;
}

/** Groups of operations, in the order of the specification. */
export const tags = {
	Service: 'Information about the service, without credentials (§4.1)',
	Account: 'The account of the caller and its access keys (§4.2)',
	Spaces: 'Spaces and what is in them (§4.3)',
	Sharing: 'People with a role in a space (§4.3)',
	Grids: 'Tables, and views as grids (§4.4)',
	Fields: 'Columns of a grid (§4.4)',
	Views: 'Virtual grids: saved selections of a grid (§4.4)',
	'Stateful views': 'Boards, calendars and other presentations (§4.4)',
	Forms: 'Forms that add an entity (§4.4)',
	Entities: 'Rows, their search, history and exchange as CSV (§4.4, §4.5)',
	'Public links': 'Forms, shared views and edit links, without an account (§4.6)',
} as const;

type Row = readonly [call: string, operationId: string, summary: string];

const USER = '/api/users/:userId';
const SPACE = `${USER}/spaces/:spaceId`;
const GRID = `${SPACE}/grids/:gridId`;
const SVIEW = `${GRID}/sviews/:sview`;
const ENTITY = `${GRID}/entities/:entityId`;

const rows: Readonly<Record<keyof typeof tags, readonly Row[]>> = {
	Service: [
		['GET /api/types', 'listFieldTypes', 'Field types with the schema of their values'],
		['GET /api/nodeTypes', 'listNodeTypes', 'Types of flow nodes'],
		['GET /api/blocks', 'listBlockTypes', 'Types of blocks and form inputs, each with a sample'],
		['GET /api/version', 'getVersion', 'Version of the backend'],
		['GET /api/health', 'getHealth', 'Whether the service can read its data'],
		['GET /api/openapi.json', 'getDescription', 'This description'],
	],
	Account: [
		['GET /api/users/me', 'getMe', 'Redirects to the account of the caller'],
		['POST /api/login', 'logIn', 'Begin a session of the page with email address and password'],
		['POST /api/logout', 'logOut', 'End the session of the request'],
		['GET /api/join/:token', 'getInvitation', 'The person that an invitation is for'],
		['POST /api/join/:token', 'join', 'Create the account of an invitation or set its password, and log in'],
		[`PUT ${USER}/password`, 'changePassword', 'Change the password of the account, which ends its other sessions'],
		[`GET ${USER}`, 'getUser', 'Account with its links'],
		[`PATCH ${USER}`, 'updateUser', 'Change the name of the account'],
		[`GET ${USER}/accessKeys`, 'listAccessKeys', 'Access keys, without their secrets'],
		[`POST ${USER}/accessKeys`, 'createAccessKey', 'Create an access key; returns its secret, once'],
		[`GET ${USER}/accessKeys/:keyId`, 'getAccessKey', 'Access key, without its secret'],
		[`DELETE ${USER}/accessKeys/:keyId`, 'deleteAccessKey', 'Delete an access key'],
	],
	Spaces: [
		[`GET ${USER}/spaces`, 'listSpaces', 'Spaces that the caller may read'],
		[`POST ${USER}/spaces`, 'createSpace', 'Create a space'],
		[`GET ${SPACE}`, 'getSpace', 'Space'],
		[`PATCH ${SPACE}`, 'updateSpace', 'Update members of a space'],
		[`DELETE ${SPACE}`, 'deleteSpace', 'Delete a space with everything in it'],
		[`POST ${SPACE}/copy`, 'copySpace', 'Copy a space, optionally with its entities'],
		[`GET ${SPACE}/resources`, 'listResources', 'Addresses of the resources of given types'],
	],
	Sharing: [
		[`GET ${SPACE}/people`, 'listPeople', 'Owner of the space and people with a role, by name'],
		[`GET ${SPACE}/shares`, 'listShares', 'People with a role in the space'],
		[`POST ${SPACE}/shares`, 'createShare', 'Give a person a role in the space'],
		[`GET ${SPACE}/shares/:shareId`, 'getShare', 'Share'],
		[`DELETE ${SPACE}/shares/:shareId`, 'deleteShare', 'Delete a share'],
		[`POST ${SPACE}/shares/:shareId/joinLink`, 'createJoinLink', 'Link with which the person creates an account or sets a new password'],
		[`POST ${SPACE}/invite`, 'invitePerson', 'Give a person a role and send an invitation mail'],
		[`GET ${SPACE}/invitations`, 'listInvitations', 'Open invitations'],
	],
	Grids: [
		[`GET ${SPACE}/grids`, 'listGrids', 'Grids and views of the space'],
		[`POST ${SPACE}/grids`, 'createGrid', 'Create a grid, optionally with a first view'],
		[`GET ${GRID}`, 'getGrid', 'Grid or view; version 2 includes its fields'],
		[`PATCH ${GRID}`, 'updateGrid', 'Update name, key, icon or properties of a grid or view'],
		[`DELETE ${GRID}`, 'deleteGrid', 'Delete a grid with its entities, or a view'],
		[`POST ${GRID}/discard`, 'discardGrid', 'Take a grid with its views out of its space, until it is restored'],
		[`GET ${SPACE}/discardedGrids`, 'listDiscardedGrids', 'Discarded grids of the space, newest first'],
		[`POST ${SPACE}/discardedGrids/:gridId/restore`, 'restoreGrid', 'Return a discarded grid to its space'],
		[`GET ${GRID}/schema`, 'getGridSchema', 'JSON Schema of the entities'],
		[`GET ${GRID}/updates`, 'listUpdates', 'Changes of entities since a time, oldest first'],
	],
	Fields: [
		[`POST ${GRID}/ColumnAdd`, 'addField', 'Add a field'],
		[`POST ${GRID}/ColumnRename`, 'renameField', 'Rename a field by its name'],
		[`POST ${GRID}/ColumnTypeChange`, 'changeFieldType', 'Change the type of a field; values that do not fit become null'],
		[`POST ${GRID}/ColumnKeyChange`, 'changeFieldKey', 'Change the key of a field'],
		[`POST ${GRID}/ColumnRemove`, 'removeField', 'Remove a field with its values'],
		[`GET ${GRID}/removedFields`, 'listRemovedFields', 'Removed fields that can be restored, newest first'],
		[`POST ${GRID}/removedFields/:fieldId/restore`, 'restoreField', 'Restore a removed field with its values'],
		[`GET ${GRID}/fields/:fieldId`, 'getField', 'Field'],
		[`PATCH ${GRID}/fields/:fieldId`, 'updateField', 'Change name, key, description or type of a field'],
	],
	Views: [
		[`GET ${GRID}/virtualgrids`, 'listViews', 'Views of the grid'],
		[`POST ${GRID}/virtualgrids`, 'createView', 'Create a view: fields, filter and sorting'],
		[`PUT ${GRID}`, 'replaceView', 'Replace name, fields and filter of a view'],
		[`POST ${GRID}/FilterChange`, 'changeViewFilter', 'Replace the filter of a view'],
	],
	'Stateful views': [
		[`GET ${GRID}/sviews`, 'listStatefulViews', 'Stateful views, optionally with those of the views'],
		[`POST ${GRID}/sviews`, 'createStatefulView', 'Create a stateful view'],
		[`GET ${SVIEW}`, 'getStatefulView', 'Stateful view'],
		[`PATCH ${SVIEW}`, 'updateStatefulView', 'Update a stateful view'],
		[`DELETE ${SVIEW}`, 'deleteStatefulView', 'Delete a stateful view'],
		[`GET ${SVIEW}/schema`, 'getStatefulViewSchema', 'JSON Schema of the entities of the stateful view'],
		[`GET ${SVIEW}/shares`, 'listStatefulViewShares', 'People with a role in the stateful view'],
		[`POST ${SVIEW}/shares`, 'createStatefulViewShare', 'Give a person a role in the stateful view'],
		[`GET ${SVIEW}/shares/:shareId`, 'getStatefulViewShare', 'Share of a stateful view'],
		[`DELETE ${SVIEW}/shares/:shareId`, 'deleteStatefulViewShare', 'Delete a share of a stateful view'],
	],
	Forms: [
		[`GET ${GRID}/forms`, 'listForms', 'Forms of the grid'],
		[`GET ${GRID}/forms/:formId`, 'getForm', 'Form with its inputs'],
		[`POST ${GRID}/forms/:formId`, 'submitForm', 'Submit a form, which adds an entity'],
	],
	Entities: [
		[`GET ${GRID}/entities`, 'listEntities', 'Entities, filtered and sorted'],
		[`POST ${GRID}/entities`, 'createEntity', 'Add an entity'],
		[`GET ${ENTITY}`, 'getEntity', 'Entity'],
		[`PUT ${ENTITY}`, 'updateEntity', 'Update an entity; with the layout indexed, all its fields'],
		[`POST ${ENTITY}/update`, 'updateEntityByKeyAndField', 'Update an entity by keys and IDs of fields'],
		[`DELETE ${ENTITY}`, 'deleteEntity', 'Delete an entity'],
		[`POST ${ENTITY}/restore`, 'restoreEntity', 'Bring back a deleted entity with its ID'],
		[`GET ${ENTITY}/events`, 'listEntityEvents', 'History of an entity, newest first'],
		[`GET ${GRID}/query`, 'searchEntities', 'Search for text; returns previews'],
		[`GET ${GRID}/csv`, 'exportCsv', 'Entities as a CSV file'],
		[`POST ${GRID}/readCSV`, 'readCsv', 'Columns and rows of a CSV file, which changes nothing'],
		[`POST ${SPACE}/uploadCSV`, 'importCsv', 'Create a grid from a CSV file, or preview it'],
	],
	'Public links': [
		[`GET ${GRID}/links`, 'listPublicLinks', 'Public links into the grid or view'],
		[`POST ${GRID}/links`, 'createPublicLink', 'Create a public link'],
		[`DELETE ${GRID}/links/:linkId`, 'deletePublicLink', 'Revoke a public link'],
		['GET /api/a/:userId/:linkId', 'getShared', 'Form or view shared by a link'],
		['POST /api/a/:userId/:linkId', 'submitShared', 'Submit a form shared by a link'],
		['GET /api/a/:userId/:linkId/inputs/:fieldId/rows', 'listOfferedRows', 'Rows that a form offers for an input that links to them'],
		['GET /api/a/:userId/:linkId/entities', 'listSharedEntities', 'Entities of a shared view'],
		['GET /api/a/:userId/:linkId/entities/:entityId', 'getSharedEntity', 'Entity of a shared view, or the receipt of a submission'],
		['GET /api/a/:userId/:linkId/names', 'listSharedNames', 'Names of the rows that entities of a shared view link to'],
		['GET /api/r/:userId/:linkId/names', 'listNamesOfLinkedEntity', 'Names of the rows that the entity of an edit link links to'],
		['GET /api/r/:userId/:linkId', 'getLinkedEntity', 'Entity of an edit link'],
		['PUT /api/r/:userId/:linkId', 'updateLinkedEntity', 'Update the entity of an edit link'],
		['GET /api/r/:userId/:linkId/schema', 'getLinkedEntitySchema', 'JSON Schema of the entity of an edit link'],
	],
}; // prettier-ignore

const names: ReadonlyMap<string, OperationName> = new Map(
	Object.entries(rows).flatMap(([tag, group]) =>
		group.map(([call, operationId, summary]) => [call, { operationId, tag, summary }] as const),
	),
);

/** Number of named operations. */
export const numberOfNames = names.size;

/** Returns the name of an operation. @throws if it has none, which is a programming error */
export function operationName({ method, path }: { method: string; path: string }): OperationName {
	const name = names.get(`${method} ${path}`);
	if (!name) throw new Error(`${method} ${path} has no name for the description`);
	return name;
}
