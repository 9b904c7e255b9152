import {
	Cache,
	type Client,
	type Grid,
	InvalidInput,
	oncePer,
	type Space,
	readList,
} from '../../../../client';

/** No space, grid or view has the key or name that a picker contains. */
export class UnknownKey extends InvalidInput {
	constructor(
		readonly key: string,
		...words: ConstructorParameters<typeof InvalidInput>
	) {
		super(...words);
	}
}

interface Lists {
	spaces: Cache<Space[]>;
	grids: Cache<Grid[]>;
	views: Cache<Grid[]>;
}

/** Lists read for keys, once per client, because thousands of items may use the same few keys. */
const listsOf = oncePer<Client, Lists>(() => ({
	spaces: new Cache(),
	grids: new Cache(),
	views: new Cache(),
}));

/** Maximum number of keys or names that an error lists. */
const MAX_NEAREST = 5;

/** Maximum number of spaces searched for a name, with one request each. */
const MAX_SPACES = 100;

/** The space with a key, which is unique in the account (§8). @throws InvalidInput */
export async function spaceWithKey(client: Client, key: string): Promise<Space> {
	const spaces = await spacesOf(client);
	return spaces.find((space) => space.key === key) ?? refuse('space', key, spaces.map(keyOf));
}

/** A space, without a request if the list of spaces was read. @throws NotFound, Forbidden (§7) */
export async function spaceWithId(client: Client, id: string): Promise<Space> {
	return (await spacesOf(client)).find((space) => space.id === id) ?? (await client.spaces.get(id));
}

/** The grid with a key, which is unique in its space (§8). @throws InvalidInput */
export async function gridWithKey(client: Client, space: Space, key: string): Promise<Grid> {
	const grids = await gridsOf(client, space);
	const prefix = space.key ? `${space.key}/` : '';
	return (
		grids.find((grid) => grid.key === key) ??
		refuse('grid', key, grids.map(keyOf), { where: `the space "${space.name}"`, prefix })
	);
}

/** The view with a name, which is unique in its space (§8). @throws InvalidInput */
export async function viewNamed(client: Client, grid: Grid, name: string): Promise<Grid> {
	const views = await viewsOf(client, grid);
	const namesake = views.find((view) => view.name === name);
	return namesake ?? refuse('view', name, views.map(nameOf), { where: `the grid "${grid.name}"` });
}

/**
 * The keys, with those of their spaces, of the grids with a name.
 * @param cachedName perhaps with the name of the space, as the list of grids shows it
 */
export async function keysOfGridsNamed(client: Client, cachedName: string): Promise<string[]> {
	const spaces = await spacesOf(client);
	const keyed = spaces.filter(({ key }) => key).slice(0, MAX_SPACES);
	const { outcomes } = await client.session.limiter.run(keyed, async (space) => {
		const grids = await gridsOf(client, space);
		const named = grids.filter(({ name }) => name === cachedName || `${name} (${space.name})` === cachedName);
		return named.flatMap(({ key }) => (key ? [`${space.key}/${key}`] : []));
	});
	return outcomes.flatMap((outcome) => (outcome.state === 'done' ? outcome.value : []));
}

/** The same for spaces. */
export async function keysOfSpacesNamed(client: Client, cachedName: string): Promise<string[]> {
	const spaces = await spacesOf(client);
	return spaces.flatMap(({ name, key }) => (name === cachedName && key ? [key] : []));
}

async function spacesOf(client: Client): Promise<Space[]> {
	return await listsOf(client).spaces.get('', async () => (await readList(client.spaces.list())).items);
}

async function gridsOf(client: Client, space: Space): Promise<Grid[]> {
	const read = async () => (await readList(client.grids.list(space, { type: 'persistent' }))).items;
	return await listsOf(client).grids.get(space.id, read);
}

async function viewsOf(client: Client, grid: Grid): Promise<Grid[]> {
	return await listsOf(client).views.get(
		grid.id,
		async () => (await readList(client.views.list(grid))).items,
	);
}

const keyOf = ({ key }: { key?: string | null | undefined }) => key ?? '';
const nameOf = ({ name }: { name: string }) => name;

/** @throws UnknownKey naming those that are spelled most alike */
function refuse(
	kind: 'space' | 'grid' | 'view',
	text: string,
	others: readonly string[],
	{ where = 'this account', prefix = '' } = {},
): never {
	const candidates = others.filter((other) => other !== '');
	const nearest = candidates
		.map((other) => ({ other, distance: distance(text.toLowerCase(), other.toLowerCase()) }))
		.sort((one, two) => one.distance - two.distance)
		.slice(0, MAX_NEAREST)
		.map(({ other }) => `${prefix}${other}`);
	const what = kind === 'view' ? 'name' : 'key';
	const label = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
	throw new UnknownKey(
		text,
		`"${label}" refers to the ${what} "${text}", which no ${kind} of ${where} has`,
		candidates.length === 0
			? `No ${kind} of ${where} has a ${what}. Choose the ${kind} from the list.`
			: `The nearest are: ${nearest.join(', ')}. Enter one of them, or choose the ${kind} from the list.`,
	);
}

/** Number of characters to insert, delete or replace (Levenshtein). */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (const [line, character] of [...one].entries()) {
		const next = [line + 1];
		for (let at = 0; at < other.length; at++) {
			const replaced = (row[at] ?? 0) + (other[at] === character ? 0 : 1);
			next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
