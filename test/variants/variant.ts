import fc from 'fast-check';
import { z } from 'zod/v4';
import { unusual, type Aspect, type Dials } from './aspect';
import { availability } from './aspects/availability';
import { base } from './aspects/base';
import { feedStep } from './aspects/feed';
import { feed } from './aspects/feedSettings';
import { filters, filtersStep } from './aspects/filters';
import { forms, formsStep } from './aspects/forms';
import { ids, idsStep } from './aspects/ids';
import { links, linksStep } from './aspects/links';
import { isBareList, lists, listsStep } from './aspects/lists';
import { media } from './aspects/media';
import { members, membersStep } from './aspects/members';
import { paging, pagingStep } from './aspects/paging';
import { strictness, strictnessStep } from './aspects/strictness';
import { values, valuesStep } from './aspects/values';
import { versions, versionsStep } from './aspects/versions';
import { writes, writesStep } from './aspects/writes';
import type { EndpointName, Step } from './exchange';

/** Everything that the specification leaves open or allows, by aspect. */
export const aspects = {
	base,
	links,
	ids,
	paging,
	lists,
	members,
	versions,
	values,
	filters,
	forms,
	feed,
	writes,
	media,
	availability,
	strictness,
};

/** A service that obeys the specification; `seed` decides the data of its trial. */
export type Variant = { readonly seed: number } & {
	readonly [Name in keyof typeof aspects]: (typeof aspects)[Name]['plain'];
};

/** The aspects, each with what is made of it. */
const forEach = <Result>(make: (one: Aspect<Dials>, name: string) => Result): Record<string, Result> =>
	Object.fromEntries(Object.entries(aspects).map(([name, one]) => [name, make(one, name)]));

const isVariant = (value: object): value is Variant =>
	['seed', ...Object.keys(aspects)].every((name) => name in value);

function variantOf(settings: object): Variant {
	if (isVariant(settings)) return settings;
	throw new Error(`Not a variant: ${JSON.stringify(settings)}`);
}

export const variants: fc.Arbitrary<Variant> = fc
	.record({ seed: fc.nat(1_000_000), ...forEach(({ drawn }) => drawn) })
	.map(variantOf);

const given = z.record(z.string(), z.unknown());

/**
 * A variant from JSON that names what is not plain.
 * @throws Error for an aspect, dial or choice that there is not
 */
export function readVariant(json: unknown): Variant {
	const { seed, ...chosen } = given.parse(json);
	const unknown = Object.keys(chosen).find((name) => !Object.hasOwn(aspects, name));
	if (unknown !== undefined)
		throw new Error(`No aspect "${unknown}"; known: ${Object.keys(aspects).join(', ')}`);
	return variantOf({
		seed: z.number().int().default(1).parse(seed),
		...forEach((one, name) => one.read(chosen[name])),
	});
}

/** The embedded service as it is. */
export const PLAIN: Variant = readVariant({});

/** The variant as JSON that `readVariant` reads, without what is plain. */
export function describeVariant(variant: Variant): string {
	const settings = new Map<string, unknown>(Object.entries(variant));
	const shown = forEach(({ plain }, name) => unusual(plain, given.parse(settings.get(name))));
	const told = Object.entries(shown).filter(([, dials]) => Object.keys(dials).length > 0);
	return JSON.stringify({ seed: variant.seed, ...Object.fromEntries(told) });
}

/** A change names its row: a link that says nothing about its row comes with the row's id. */
const legible = ({ feed, links }: Variant): Variant['feed'] =>
	feed.entry === 'linked' && links.href === 'opaque' ? { ...feed, entry: 'nested' } : feed;

/** Whether a list comes as a bare array, which cannot say that the service caps its pages. */
const isBare = ({ lists, feed }: Variant, endpoint: EndpointName | undefined): boolean =>
	endpoint === 'updates' ? feed.shape === 'array' : isBareList(lists, endpoint);

/** The way of a request from the client to the embedded service. */
export const stepsOf = (variant: Variant): Step[] => [
	linksStep(variant.links, variant.base),
	idsStep(variant.ids),
	strictnessStep(variant.strictness),
	writesStep(variant.writes),
	listsStep(variant.lists),
	formsStep(variant.forms),
	membersStep(variant.members),
	versionsStep(variant.versions),
	valuesStep(variant.values),
	filtersStep(variant.filters),
	pagingStep(variant.paging, (endpoint) => isBare(variant, endpoint)),
	feedStep(legible(variant)),
];
