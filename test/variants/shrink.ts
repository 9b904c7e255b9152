import { describeVariant, PLAIN, type Variant } from './variant';

type Simplification = (variant: Variant) => Variant;

const membersOf = (object: object) => new Map<string, unknown>(Object.entries(object));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Each aspect as a whole, then each dial by itself, set back to plain. */
function simplifications(variant: Variant): Simplification[] {
	const plain = membersOf(PLAIN);
	const aspects = Object.entries(variant).filter(([, settings]) => isObject(settings));
	const whole = aspects.map(
		([name]): Simplification =>
			(one) => ({ ...one, [name]: plain.get(name) }),
	);
	const single = aspects.flatMap(([name, settings]) =>
		Object.keys(settings).map(
			(dial): Simplification =>
				(one) => {
					const [current, usual] = [membersOf(one).get(name), plain.get(name)];
					if (!isObject(current) || !isObject(usual)) return one;
					return { ...one, [name]: { ...current, [dial]: membersOf(usual).get(dial) } };
				},
		),
	);
	return [...whole, ...single];
}

/**
 * The smallest variant that still shows a difference: what does not matter is plain in it.
 * @param show what is different in a variant; undefined where nothing is
 */
export async function shrink(
	variant: Variant,
	what: string,
	show: (candidate: Variant) => Promise<string | undefined>,
): Promise<{ variant: Variant; what: string }> {
	let smallest = { variant, what };
	for (const simplify of simplifications(variant)) {
		const candidate = simplify(smallest.variant);
		if (describeVariant(candidate) === describeVariant(smallest.variant)) continue;
		const still = await show(candidate);
		if (still !== undefined) smallest = { variant: candidate, what: still };
	}
	return smallest;
}
