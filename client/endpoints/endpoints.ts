import type { Method } from '../http/transport';

/** Least role for an operation (§4, §5). `none` needs no account, `link` a link (§4.6). */
type Role = 'none' | 'link' | 'reader' | 'creator' | 'writer' | 'admin';

/** An operation of §4. */
export interface Endpoint {
	/** Resource whose links lead to the operation. */
	on: Holder;
	/** Link names, the likeliest first. All but those of `SPECIFIED_LINKS` are guesses. */
	rels: readonly string[];
	method: Method;
	/** Documented address (§4). */
	path: string;
	role: Role;
	/** Describes the operation; the name is appended if it is `on` (a part of) a grid or space. */
	action: string;
	/** Specified link of the grid or space without which the operation is not permitted. */
	needs?: 'addEntity' | 'addGrid' | 'shares';
	/** Link to another operation at the same address: its `href` precedes `path`. */
	beside?: string;
	/** Type of the resource that a POST creates. */
	creates?: ResourceType;
	/** Cached representations that are outdated afterwards. */
	invalidates?: 'grid';
}

export type Holder =
	| 'service'
	| 'user'
	| 'space'
	| 'grid'
	| 'field'
	| 'view'
	| 'statefulView'
	| 'form'
	| 'entity'
	| 'publicLink';

/** Resources that an address can identify. */
export type ResourceType =
	| 'user'
	| 'accessKey'
	| 'space'
	| 'share'
	| 'grid'
	| 'field'
	| 'form'
	| 'statefulView'
	| 'entity';

/**
 * Links that the specification names (§2.3, §2.4, §2.6): a full representation without one proves
 * that the operation is not permitted. Not `self` and `grids`: lists of spaces may omit them.
 */
export const SPECIFIED_LINKS: Partial<Record<Holder, readonly string[]>> = {
	space: ['addGrid', 'shares'],
	grid: ['entities', 'addEntity', 'schema', 'virtualGrids'],
	entity: ['update', 'remove'],
};

/** §4.2: where `users/me` redirects to. */
export const USER = '/api/users/{userId}';
const SPACE = `${USER}/spaces/{spaceId}`;
const GRID = `${SPACE}/grids/{gridId}`;
const FIELD = `${GRID}/fields/{fieldId}`;
const SVIEW = `${GRID}/sviews/{sview}`;
const FORM = `${GRID}/forms/{formId}`;
const ENTITY = `${GRID}/entities/{entityId}`;

/** Each operation of the specification, in its order. A view has a grid's address (§2.8). */
// prettier-ignore
export const endpoints = {
	// §4.1 Meta
	fieldTypes: { on: 'service', rels: [], method: 'GET', path: '/api/types', role: 'none', action: 'read the types of columns' },
	flowNodeTypes: { on: 'service', rels: [], method: 'GET', path: '/api/nodeTypes', role: 'none', action: 'read the types of flow nodes' },
	blockTypes: { on: 'service', rels: [], method: 'GET', path: '/api/blocks', role: 'none', action: 'read the types of blocks' },
	version: { on: 'service', rels: [], method: 'GET', path: '/api/version', role: 'none', action: 'read the version of the service' },

	// §4.2 Users and access keys. The specification names no role for keys.
	currentUser: { on: 'service', rels: [], method: 'GET', path: '/api/users/me', role: 'reader', action: 'read the current user' },
	accessKeyCreate: { on: 'user', rels: ['addAccessKey', 'createAccessKey'], method: 'POST', path: `${USER}/accessKeys`, role: 'admin', action: 'create access keys', beside: 'accessKeys' },
	accessKeyList: { on: 'user', rels: ['accessKeys'], method: 'GET', path: `${USER}/accessKeys`, role: 'admin', action: 'list access keys' },
	accessKeyDelete: { on: 'user', rels: [], method: 'DELETE', path: `${USER}/accessKeys/{keyId}`, role: 'admin', action: 'delete access keys' },

	// §4.3 Spaces
	spaceList: { on: 'user', rels: ['spaces'], method: 'GET', path: `${USER}/spaces`, role: 'reader', action: 'list spaces' },
	spaceCreate: { on: 'user', rels: ['addSpace', 'createSpace'], method: 'POST', path: `${USER}/spaces`, role: 'admin', action: 'create spaces', beside: 'spaces', creates: 'space' },
	spaceGet: { on: 'space', rels: ['self'], method: 'GET', path: SPACE, role: 'reader', action: 'read' },
	spaceUpdate: { on: 'space', rels: ['update', 'edit', 'patch'], method: 'PATCH', path: SPACE, role: 'admin', action: 'change', needs: 'addGrid', beside: 'self' },
	spaceDelete: { on: 'space', rels: ['remove', 'delete'], method: 'DELETE', path: SPACE, role: 'admin', action: 'delete', needs: 'addGrid', beside: 'self', invalidates: 'grid' },
	spaceCopy: { on: 'space', rels: ['copy', 'duplicate'], method: 'POST', path: `${SPACE}/copy`, role: 'reader', action: 'copy', creates: 'space' },
	resourceList: { on: 'space', rels: ['resources'], method: 'GET', path: `${SPACE}/resources`, role: 'reader', action: 'list the resources of' },
	shareList: { on: 'space', rels: ['shares'], method: 'GET', path: `${SPACE}/shares`, role: 'admin', action: 'list the shares of' },
	shareCreate: { on: 'space', rels: ['addShare', 'share'], method: 'POST', path: `${SPACE}/shares`, role: 'admin', action: 'share', needs: 'shares', beside: 'shares', creates: 'share' },
	invitationCreate: { on: 'space', rels: ['invite', 'addInvitation'], method: 'POST', path: `${SPACE}/invite`, role: 'admin', action: 'invite people to', needs: 'shares', creates: 'share' },
	invitationList: { on: 'space', rels: ['invitations'], method: 'GET', path: `${SPACE}/invitations`, role: 'admin', action: 'list the invitations to', needs: 'shares' },
	gridUpload: { on: 'space', rels: ['uploadCSV', 'uploadCsv', 'importCSV'], method: 'POST', path: `${SPACE}/uploadCSV`, role: 'admin', action: 'add grids to', needs: 'addGrid', creates: 'grid' },

	// §4.4 Grids
	gridList: { on: 'space', rels: ['grids'], method: 'GET', path: `${SPACE}/grids`, role: 'reader', action: 'list the grids of' },
	gridCreate: { on: 'space', rels: ['addGrid'], method: 'POST', path: `${SPACE}/grids`, role: 'admin', action: 'add grids to', creates: 'grid' },
	gridGet: { on: 'grid', rels: ['self'], method: 'GET', path: GRID, role: 'reader', action: 'read' },
	gridUpdate: { on: 'grid', rels: ['update', 'edit'], method: 'PATCH', path: GRID, role: 'admin', action: 'change', needs: 'addEntity', invalidates: 'grid' },
	gridDelete: { on: 'grid', rels: ['remove', 'delete'], method: 'DELETE', path: GRID, role: 'admin', action: 'delete', needs: 'addEntity', invalidates: 'grid' },
	gridSchema: { on: 'grid', rels: ['schema'], method: 'GET', path: `${GRID}/schema`, role: 'reader', action: 'read the columns of' },
	columnAdd: { on: 'grid', rels: ['columnAdd', 'addColumn', 'addField'], method: 'POST', path: `${GRID}/ColumnAdd`, role: 'admin', action: 'add columns to', needs: 'addEntity', creates: 'field', invalidates: 'grid' },
	columnRename: { on: 'grid', rels: ['columnRename', 'renameColumn', 'renameField'], method: 'POST', path: `${GRID}/ColumnRename`, role: 'admin', action: 'rename columns of', needs: 'addEntity', invalidates: 'grid' },
	columnTypeChange: { on: 'grid', rels: ['columnTypeChange', 'changeColumnType', 'changeFieldType'], method: 'POST', path: `${GRID}/ColumnTypeChange`, role: 'admin', action: 'change columns of', needs: 'addEntity', invalidates: 'grid' },
	columnKeyChange: { on: 'grid', rels: ['columnKeyChange', 'changeColumnKey', 'changeFieldKey'], method: 'POST', path: `${GRID}/ColumnKeyChange`, role: 'admin', action: 'change columns of', needs: 'addEntity', invalidates: 'grid' },
	columnRemove: { on: 'grid', rels: ['columnRemove', 'removeColumn', 'removeField'], method: 'POST', path: `${GRID}/ColumnRemove`, role: 'admin', action: 'remove columns of', needs: 'addEntity', invalidates: 'grid' },
	fieldGet: { on: 'field', rels: ['self'], method: 'GET', path: FIELD, role: 'reader', action: 'read the columns of' },
	fieldUpdate: { on: 'field', rels: ['update', 'edit'], method: 'PATCH', path: FIELD, role: 'admin', action: 'change columns of', needs: 'addEntity', invalidates: 'grid' },
	viewList: { on: 'grid', rels: ['virtualGrids'], method: 'GET', path: `${GRID}/virtualgrids`, role: 'reader', action: 'read the views of' },
	viewCreate: { on: 'grid', rels: ['addVirtualGrid', 'createVirtualGrid', 'addView'], method: 'POST', path: `${GRID}/virtualgrids`, role: 'admin', action: 'add views to', needs: 'addEntity', creates: 'grid' },
	viewReplace: { on: 'view', rels: ['replace', 'update', 'edit'], method: 'PUT', path: GRID, role: 'admin', action: 'change views of', needs: 'addEntity', invalidates: 'grid' },
	viewFilterChange: { on: 'view', rels: ['filterChange', 'changeFilter', 'updateFilter'], method: 'POST', path: `${GRID}/FilterChange`, role: 'admin', action: 'change views of', needs: 'addEntity', invalidates: 'grid' },
	viewDelete: { on: 'view', rels: ['remove', 'delete'], method: 'DELETE', path: GRID, role: 'admin', action: 'delete views of', needs: 'addEntity', invalidates: 'grid' },
	statefulViewList: { on: 'grid', rels: ['sviews', 'statefulViews'], method: 'GET', path: `${GRID}/sviews`, role: 'reader', action: 'list the boards and calendars of' },
	statefulViewCreate: { on: 'grid', rels: ['addSview', 'addStatefulView', 'createSview'], method: 'POST', path: `${GRID}/sviews`, role: 'admin', action: 'add boards and calendars to', needs: 'addEntity', creates: 'statefulView' },
	statefulViewGet: { on: 'statefulView', rels: [], method: 'GET', path: SVIEW, role: 'reader', action: 'read boards and calendars of' },
	statefulViewUpdate: { on: 'statefulView', rels: ['update', 'edit'], method: 'PATCH', path: SVIEW, role: 'admin', action: 'change boards and calendars of', needs: 'addEntity' },
	statefulViewDelete: { on: 'statefulView', rels: ['remove', 'delete'], method: 'DELETE', path: SVIEW, role: 'admin', action: 'delete boards and calendars of', needs: 'addEntity' },
	statefulViewSchema: { on: 'statefulView', rels: ['schema'], method: 'GET', path: `${SVIEW}/schema`, role: 'reader', action: 'read boards and calendars of' },
	// No role is documented for shares of stateful views; those of a space need the role admin
	// (§4.3).
	statefulViewShareList: { on: 'statefulView', rels: ['shares'], method: 'GET', path: `${SVIEW}/shares`, role: 'admin', action: 'list the shares of boards and calendars of' },
	statefulViewShareCreate: { on: 'statefulView', rels: ['addShare', 'share', 'shares'], method: 'POST', path: `${SVIEW}/shares`, role: 'admin', action: 'share boards and calendars of', needs: 'addEntity', creates: 'share' },
	formList: { on: 'grid', rels: ['forms'], method: 'GET', path: `${GRID}/forms`, role: 'reader', action: 'list the forms of' },
	formGet: { on: 'form', rels: [], method: 'GET', path: FORM, role: 'reader', action: 'read forms of' },
	formSubmit: { on: 'form', rels: ['submit'], method: 'POST', path: FORM, role: 'creator', action: 'submit forms of', needs: 'addEntity', creates: 'entity' },
	gridExport: { on: 'grid', rels: ['csv', 'exportCSV'], method: 'GET', path: `${GRID}/csv`, role: 'reader', action: 'export' },
	updateList: { on: 'grid', rels: ['updates', 'changes'], method: 'GET', path: `${GRID}/updates`, role: 'reader', action: 'read the changes of' },
	entitySearch: { on: 'grid', rels: ['query', 'search'], method: 'GET', path: `${GRID}/query`, role: 'reader', action: 'search' },

	// §4.5 Entities. The client updates with PUT only: POST …/update ignores the layout.
	entityList: { on: 'grid', rels: ['entities'], method: 'GET', path: `${GRID}/entities`, role: 'reader', action: 'read the rows of' },
	entityCreate: { on: 'grid', rels: ['addEntity'], method: 'POST', path: `${GRID}/entities`, role: 'creator', action: 'add rows to', creates: 'entity' },
	entityGet: { on: 'entity', rels: ['self'], method: 'GET', path: ENTITY, role: 'reader', action: 'read rows of' },
	entityUpdate: { on: 'entity', rels: ['update'], method: 'PUT', path: ENTITY, role: 'writer', action: 'change rows of', needs: 'addEntity' },
	entityUpdateByPost: { on: 'entity', rels: [], method: 'POST', path: `${ENTITY}/update`, role: 'writer', action: 'change rows of', needs: 'addEntity' },
	entityDelete: { on: 'entity', rels: ['remove'], method: 'DELETE', path: ENTITY, role: 'writer', action: 'delete rows of', needs: 'addEntity' },
	eventList: { on: 'entity', rels: ['events', 'history'], method: 'GET', path: `${ENTITY}/events`, role: 'reader', action: 'read the history of rows of' },

	// §4.6 Public links. Only the start of their addresses is documented; the caller passes the link
	// itself.
	publicFormGet: { on: 'publicLink', rels: [], method: 'GET', path: '/api/a/{userId}/{linkId}', role: 'link', action: 'open the public link' },
	publicFormSubmit: { on: 'publicLink', rels: ['submit', 'addEntity'], method: 'POST', path: '/api/a/{userId}/{linkId}', role: 'link', action: 'submit the public form', beside: 'self', creates: 'entity' },
	publicRowList: { on: 'publicLink', rels: ['entities', 'items', 'rows'], method: 'GET', path: '/api/a/{userId}/{linkId}/entities', role: 'link', action: 'read the rows of the public link' },
	publicRowGet: { on: 'publicLink', rels: [], method: 'GET', path: '/api/r/{userId}/{linkId}', role: 'link', action: 'read the row of the public link' },
	publicRowUpdate: { on: 'publicLink', rels: ['update', 'edit'], method: 'PUT', path: '/api/r/{userId}/{linkId}', role: 'link', action: 'change the row of the public link' },
} as const satisfies Record<string, Endpoint>;
