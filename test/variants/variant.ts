import fc from 'fast-check';
import { z } from 'zod/v4';
import { unusual } from './aspect';
import { availability } from './aspects/availability';
import { base } from './aspects/base';
import { errors, errorsStep } from './aspects/errors';
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
	errors,
	media,
	availability,
	strictness,
};

/** A service that obeys the specification; `seed` decides the data of its trial. */
export const variants = fc.record({
	seed: fc.nat(1_000_000),
	base: base.drawn,
	links: links.drawn,
	ids: ids.drawn,
	paging: paging.drawn,
	lists: lists.drawn,
	members: members.drawn,
	versions: versions.drawn,
	values: values.drawn,
	filters: filters.drawn,
	forms: forms.drawn,
	feed: feed.drawn,
	writes: writes.drawn,
	errors: errors.drawn,
	media: media.drawn,
	availability: availability.drawn,
	strictness: strictness.drawn,
});
export type Variant = typeof variants extends fc.Arbitrary<infer Value> ? Value : never;

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
	return {
		seed: z.number().int().default(1).parse(seed),
		base: base.read(chosen['base']),
		links: links.read(chosen['links']),
		ids: ids.read(chosen['ids']),
		paging: paging.read(chosen['paging']),
		lists: lists.read(chosen['lists']),
		members: members.read(chosen['members']),
		versions: versions.read(chosen['versions']),
		values: values.read(chosen['values']),
		filters: filters.read(chosen['filters']),
		forms: forms.read(chosen['forms']),
		feed: feed.read(chosen['feed']),
		writes: writes.read(chosen['writes']),
		errors: errors.read(chosen['errors']),
		media: media.read(chosen['media']),
		availability: availability.read(chosen['availability']),
		strictness: strictness.read(chosen['strictness']),
	};
}

/** The embedded service as it is. */
export const PLAIN: Variant = readVariant({});

/** The variant as JSON that `readVariant` reads, without what is plain. */
export function describeVariant(variant: Variant): string {
	const shown = {
		base: unusual(base, variant.base),
		links: unusual(links, variant.links),
		ids: unusual(ids, variant.ids),
		paging: unusual(paging, variant.paging),
		lists: unusual(lists, variant.lists),
		members: unusual(members, variant.members),
		versions: unusual(versions, variant.versions),
		values: unusual(values, variant.values),
		filters: unusual(filters, variant.filters),
		forms: unusual(forms, variant.forms),
		feed: unusual(feed, variant.feed),
		writes: unusual(writes, variant.writes),
		errors: unusual(errors, variant.errors),
		media: unusual(media, variant.media),
		availability: unusual(availability, variant.availability),
		strictness: unusual(strictness, variant.strictness),
	};
	const told = Object.entries(shown).filter(([, settings]) => Object.keys(settings).length > 0);
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
	errorsStep(variant.errors),
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
