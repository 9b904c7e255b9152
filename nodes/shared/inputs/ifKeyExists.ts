import { BadRequest, InvalidInput, outcomeOf } from '../../../client';
import { choice } from './choice';

/**
 * What a creation does if its key is in use.
 * @param what such as `grid`
 * @param where keys are unique, such as `space`
 * @param further what else can be chosen
 */
export function ifKeyExistsOf<const Further extends string = never>(
	what: string,
	where: string,
	further?: Readonly<Record<Further, { name: string; description: string }>>,
) {
	const labels: Readonly<Record<string, { name: string; description: string }>> = {
		refuse: { name: 'Refuse', description: 'The item fails' },
		return: { name: 'Return It', description: `The existing ${what} is output, unchanged` },
		...further,
	};
	return choice<'refuse' | 'return' | Further>('ifKeyExists', 'If the Key Exists', labels, {
		default: 'refuse',
		description: `What to do if the ${where} already has a ${what} with this key. Choose "Return It" in a workflow that makes its own ${what}, so that it can run again.`,
	});
}

/** The name of what is made for a key, such as "Stock 2026" for `stock-2026`. */
export const nameOfKey = (key: string): string =>
	`${key[0]?.toUpperCase() ?? ''}${key.slice(1).replaceAll(/[-_]/g, ' ')}`;

interface KeyedCreation<Existing, Created> {
	key: string | undefined;
	returnsExisting: boolean;
	find: (key: string) => Promise<Existing | undefined>;
	create: () => Promise<Created>;
}

/** Creates a resource, or returns the one with its key. @throws InvalidInput without a key */
export async function createdOrExisting<Existing, Created>({
	key,
	returnsExisting,
	find,
	create,
}: KeyedCreation<Existing, Created>): Promise<
	{ existing: Existing; created?: undefined } | { existing?: undefined; created: Created }
> {
	if (!returnsExisting) return { created: await create() };
	if (key === undefined)
		throw new InvalidInput(
			'"If the Key Exists" needs a key',
			'Add "Key" under "Additional Fields", or remove "If the Key Exists".',
		);
	const before = await find(key);
	if (before) return { existing: before };
	const creating = await outcomeOf(create());
	if (creating.state === 'done') return { created: creating.value };
	// Another run may have created it since.
	const since = creating.error instanceof BadRequest ? await find(key) : undefined;
	if (since) return { existing: since };
	throw creating.error;
}
