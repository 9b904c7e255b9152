import fc from 'fast-check';
import { z } from 'zod/v4';

type Choice = string | number | boolean;

/**
 * What an aspect may be set to: each dial with its choices, of which the first is the plain one.
 */
export type Dials = Readonly<Record<string, readonly [Choice, ...Choice[]]>>;
export type Settings<D extends Dials> = { readonly [Name in keyof D]: D[Name][number] };

/** One thing that the specification leaves open: what is varied, and how it is drawn. */
export interface Aspect<D extends Dials> {
	dials: D;
	plain: Settings<D>;
	/** Plain in half of the variants, so that aspects are also met alone; shrinks towards plain. */
	drawn: fc.Arbitrary<Settings<D>>;
	/**
	 * Settings from JSON; dials that it does not name are plain.
	 * @throws Error for an unknown dial or choice
	 */
	read(json: unknown): Settings<D>;
}

const given = z.record(z.string(), z.unknown());

/** Declares an aspect. */
export function aspect<const D extends Dials>(dials: D): Aspect<D> {
	const read = (json: unknown): Settings<D> => {
		const chosen = given.parse(json ?? {});
		const unknown = Object.keys(chosen).find((name) => !Object.hasOwn(dials, name));
		if (unknown !== undefined)
			throw new Error(`No dial "${unknown}"; known: ${Object.keys(dials).join(', ')}`);
		const settings = Object.fromEntries(
			Object.entries(dials).map(([name, choices]) => [name, chosen[name] ?? choices[0]]),
		);
		if (isSettings(dials, settings)) return settings;
		throw new Error(`Not a choice: ${JSON.stringify(json)}; known: ${JSON.stringify(dials)}`);
	};
	const plain = read({});
	const choices = Object.entries(dials).map(([name, of]) => [name, fc.constantFrom(...of)] as const);
	const drawn = fc.oneof(fc.constant(plain), fc.record(Object.fromEntries(choices)).map(read));
	return { dials, plain, drawn, read };
}

function isSettings<D extends Dials>(dials: D, settings: object): settings is Settings<D> {
	const chosen = new Map<string, unknown>(Object.entries(settings));
	return Object.entries(dials).every(([name, choices]) =>
		choices.some((choice) => choice === chosen.get(name)),
	);
}

/** The dials that are not plain: what a variant is about. */
export function unusual(plain: object, settings: object): Record<string, unknown> {
	const usual = new Map<string, unknown>(Object.entries(plain));
	return Object.fromEntries(Object.entries(settings).filter(([name, choice]) => usual.get(name) !== choice));
}
