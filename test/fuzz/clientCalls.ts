import { createClient, readList, type Client } from '../../client';
import { entitySchema } from '../../client/resources/entities';
import { fieldSchema } from '../../client/resources/fields';
import { gridSchema, type Grid } from '../../client/resources/grids';
import { parsePublicLink, PublicForms } from '../../client/resources/publicForms';
import { sendNotification } from '../../client/resources/push';
import { shareSchema } from '../../client/resources/shares';
import { spaceSchema } from '../../client/resources/spaces';
import { statefulViewSchema } from '../../client/resources/statefulViews';
import type { Transport } from '../../client/http/transport';
import { BASE } from './hostileResponses';

const at = '/prefix/api/users/u1/spaces/s1';
const linkTo = (href: string, method = 'get') => ({ href, method });
const space = spaceSchema.parse({
	id: 's1',
	name: 'Space',
	_links: {
		self: linkTo(at),
		grids: linkTo(`${at}/grids`),
		addGrid: linkTo(`${at}/grids`, 'post'),
		shares: linkTo(`${at}/shares`),
	},
});
const address = { userId: 'u1', spaceId: 's1', gridId: 'g1' };
const grid: Grid = {
	...gridSchema.parse({
		id: 'g1',
		name: 'Grid',
		_links: {
			self: linkTo(`${at}/grids/g1`),
			entities: linkTo(`${at}/grids/g1/entities`),
			addEntity: linkTo(`${at}/grids/g1/entities`, 'post'),
			schema: linkTo(`${at}/grids/g1/schema`),
			virtualGrids: linkTo(`${at}/grids/g1/virtualgrids`),
			links: linkTo(`${at}/grids/g1/links`),
			addLink: linkTo(`${at}/grids/g1/links`, 'post'),
		},
	}),
	address,
};
const field = fieldSchema.parse({ id: 'f1', name: 'Field', type: { name: 'string' } });
const view = statefulViewSchema.parse({ id: 'v1' });
const entity = entitySchema.parse({ _id: 'e1', _links: { self: linkTo(`${at}/grids/g1/entities/e1`) } });
const content = { name: 'View', fields: ['f1'], filter: {} };
const madeShare = shareSchema.parse({ id: 'h1', _links: { self: linkTo(`${at}/shares/h1`) } });
const share = { email: 'a@b.example', role: 'reader' };
const publicForms = ({ session }: Client) => {
	const { url } = parsePublicLink(`${BASE}/api/a/u1/l1`);
	return new PublicForms(session, url, 'none');
};
const notification = { target: { userIds: ['u1'] }, headings: { en: 'a' }, contents: { en: 'b' } };

/** A call of the client, as a node would make it. */
export type ClientCall = (client: Client, transport: Transport) => Promise<unknown>;

/** Every call of the client, by its name. */
export const clientCalls: Readonly<Record<string, ClientCall>> = {
	'currentUser.me': ({ session }) => session.currentUser.me(),
	'currentUser.id': ({ session }) => session.currentUser.id(),
	'accessKeys.list': ({ accessKeys }) => readList(accessKeys.list()),
	'accessKeys.create': ({ accessKeys }) => accessKeys.create({ name: 'Key', role: 'reader' }),
	'accessKeys.remove': ({ accessKeys }) => accessKeys.remove('k1'),
	'meta.version': ({ meta }) => meta.version(),
	'meta.fieldTypes': ({ meta }) => meta.fieldTypes(),
	'meta.blockTypes': ({ meta }) => meta.blockTypes(),
	'meta.flowNodeTypes': ({ meta }) => meta.flowNodeTypes(),
	'spaces.list': ({ spaces }) => readList(spaces.list({ key: 'a', value: 'b' })),
	'spaces.get': ({ spaces }) => spaces.get('s1'),
	'spaces.open': ({ spaces }) => spaces.open(space),
	'spaces.create': ({ spaces }) => spaces.create({ name: 'New' }),
	'spaces.update': ({ spaces }) => spaces.update(space, { name: 'Other' }),
	'spaces.remove': ({ spaces }) => spaces.remove(space),
	'spaces.copy': ({ spaces }) => spaces.copy(space, { includeEntities: false }),
	'spaces.resources': ({ spaces }) => spaces.resources(space, ['grid']),
	'shares.list': ({ shares }) => readList(shares.list(space)),
	'shares.create': ({ shares }) => shares.create(space, share),
	'shares.invitationList': ({ shares }) => readList(shares.invitationList(space)),
	'shares.invite': ({ shares }) => shares.invite(space, share),
	'shares.remove': ({ shares }) => shares.remove(madeShare),
	'shares.revoke': ({ shares }) => shares.revoke(madeShare),
	'grids.list': ({ grids }) => readList(grids.list(space, {})),
	'grids.open': ({ grids }) => grids.open({ spaceId: 's1', gridId: 'g1' }),
	'grids.open by its id alone': ({ grids }) => grids.open({ gridId: 'g1' }),
	'grids.create': ({ grids }) => grids.create(space, { name: 'New' }),
	'grids.createFromCsv': ({ grids }) =>
		grids.createFromCsv(space, { name: 'New' }, { name: 'a.csv', content: Buffer.from('a') }),
	'grids.update': ({ grids }) => grids.update(grid, { name: 'Other' }),
	'grids.remove': ({ grids }) => grids.remove(grid),
	'grids.schema': ({ grids }) => grids.schema(grid),
	'grids.csv': ({ grids }) => grids.csv(grid),
	'fields.of': ({ fields }) => fields.of(grid),
	'fields.of a grid that was opened': async ({ grids, fields }) =>
		await fields.of(await grids.open({ spaceId: 's1', gridId: 'g1' })),
	'fields.get': ({ fields }) => fields.get(grid, field),
	'fields.add': ({ fields }) => fields.add(grid, { name: 'New', type: { name: 'string' } }),
	'fields.update': ({ fields }) => fields.update(grid, field, { name: 'Other' }),
	'fields.rename': ({ fields }) => fields.rename(grid, 'Field', 'Other'),
	'fields.changeType': ({ fields }) => fields.changeType(grid, 'f1', { name: 'integer' }),
	'fields.changeKey': ({ fields }) => fields.changeKey(grid, 'f1', 'key'),
	'fields.remove': ({ fields }) => fields.remove(grid, 'f1'),
	'entities.many': ({ entities }) => entities.many(grid),
	'entities.many with a limit': ({ entities }) => entities.many(grid, { filter: {} }, 2500),
	'entities.search': ({ entities }) => entities.search(grid, { matching: 'a' }),
	'entities.open': ({ entities }) => entities.open(grid, entity),
	'entities.get': ({ entities }) => entities.get(grid, 'e1'),
	'entities.create': ({ entities }) => entities.create(grid, { f1: 'a' }),
	'entities.update': ({ entities }) => entities.update(grid, 'e1', { f1: 'b' }),
	'entities.update by its own link': ({ entities }) => entities.update(grid, entity, { f1: 'b' }),
	'entities.remove': ({ entities }) => entities.remove(grid, 'e1'),
	'history.of': ({ history }) => history.of(grid, 'e1'),
	'updates.page': ({ updates }) =>
		updates.page(updates.hrefOf(grid), { since: 0, pageIndex: 1, pageSize: 300 }),
	'updates.many': ({ updates }) => updates.many(grid, 0, 10),
	'views.list': ({ views }) => readList(views.list(grid)),
	'views.create': ({ views }) => views.create(grid, content),
	'views.replace': ({ views }) => views.replace(grid, grid, content),
	'views.changeFilter': ({ views }) => views.changeFilter(grid, grid, {}),
	'views.remove': ({ views }) => views.remove(grid, grid),
	'statefulViews.list': ({ statefulViews }) => readList(statefulViews.list(grid, true)),
	'statefulViews.get': ({ statefulViews }) => statefulViews.get(grid, 'v1'),
	'statefulViews.create': ({ statefulViews }) =>
		statefulViews.create(grid, { type: 'kanban', properties: {}, slotProperties: {} }),
	'statefulViews.update': ({ statefulViews }) => statefulViews.update(grid, view, { type: 'calendar' }),
	'statefulViews.remove': ({ statefulViews }) => statefulViews.remove(grid, view),
	'statefulViews.schema': ({ statefulViews }) => statefulViews.schema(grid, view),
	'statefulViews.shareList': ({ statefulViews }) => readList(statefulViews.shareList(grid, view)),
	'statefulViews.share': ({ statefulViews }) => statefulViews.share(grid, view, share),
	'forms.list': ({ forms }) => readList(forms.list(grid)),
	'forms.get': ({ forms }) => forms.get(grid, 'm1'),
	'forms.submit': async ({ forms }) =>
		await forms.submit(await forms.open({ spaceId: 's1', gridId: 'g1' }, 'm1'), { f1: 'a' }),
	'publicForms.get': (client) => publicForms(client).get(),
	'publicForms.submit': async (client) => {
		const form = await publicForms(client).getIfReadable();
		return await publicForms(client).submit(form, { f1: 'a' });
	},
	'push.send': (_client, transport) =>
		sendNotification({ transport, provider: { url: BASE, appId: 'app' } }, notification),
};

/** A client whose waits are the same in every run. */
export const clientOver = (transport: Transport): Client =>
	createClient({ transport, baseUrl: BASE, retry: { random: () => 0.5 } });
