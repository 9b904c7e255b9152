import type { Random } from '../random';
import type { FeedKind, TrueChange } from './feedKind';

const HOUR = 3_600_000;
/** How many ids there are before they are used again. */
const REUSED_IDS = 5;
const OWN_WORDS = ['archived', 'ENTITY_UPDATED', 'locked'];

/** A change with the entry that the service writes for it. */
export interface ShownChange {
	change: TrueChange;
	entry: Record<string, unknown>;
}

/** Writes entries as a service of one kind would. */
export class EntryWriter {
	/** @param clockChangeAt when the service's local time changes, if it does */
	constructor(
		private readonly kind: FeedKind,
		private readonly changes: readonly TrueChange[],
		private readonly clockChangeAt: number,
	) {}

	write(change: TrueChange): Record<string, unknown> {
		const { content, times, words, wrapped } = this.kind;
		const { entity, kind, value } = change;
		if (content === 'entities') {
			const time = times === 'change' ? { updatedAt: this.timestamp(change.time) } : {};
			const created = times === 'creation' ? { createdAt: this.timestamp(change.createdAt) } : {};
			const row = { _id: `e${entity}`, f1: value, ...time, ...created };
			return wrapped ? { type: 'updated', entity: row } : row;
		}
		return {
			...this.idOf(change),
			type: words === 'own' && kind === 'updated' ? OWN_WORDS[value % OWN_WORDS.length] : kind,
			...(words === 'own' ? { entity: { _links: { self: { href: `/grids/g/entities/e${entity}` } } } } : {}),
			...(words === 'own' ? {} : { entityId: `e${entity}` }),
			changes: [
				{ fieldId: 'f1', newValue: value },
				{ fieldId: 'f2', newValue: 'x' },
			],
			...(times === 'none' ? {} : { timestamp: this.timestamp(change.time) }),
		};
	}

	private timestamp(time: number): string {
		const { zone, clockChange = 0 } = this.kind;
		const hours = (zone ?? 0) + (time >= this.clockChangeAt ? clockChange : 0);
		const text = new Date(time + hours * HOUR).toISOString();
		return zone === undefined ? text.replace('Z', '+00:00') : text.replace('Z', '');
	}

	private idOf({ entity, sequence, time }: TrueChange): Record<string, unknown> {
		const row = `e${entity}`;
		switch (this.kind.ids) {
			case 'none':
				return {};
			case 'own':
				return { id: `u${sequence}` };
			case 'row':
				return { _id: row };
			case 'someRow':
				return { id: sequence % 2 === 0 ? row : `u${sequence}` };
			case 'perRow': {
				const earlier = (other: TrueChange) => other.entity === entity && other.sequence < sequence;
				return { id: this.changes.filter(earlier).length };
			}
			case 'reused':
				return { id: sequence % REUSED_IDS };
			case 'shared':
				return { id: `t${Math.floor(time / 1000)}` };
		}
	}
}

/** The same entry as another server of the same service would write it. */
export function respelled(entry: Record<string, unknown>, random: Random): Record<string, unknown> {
	const members = Object.entries(entry).map(([name, value]): [string, unknown] => {
		if (Array.isArray(value) && random.chance(0.5)) {
			const list: readonly unknown[] = value;
			return [name, [...list].reverse()];
		}
		const isMoment = typeof value === 'string' && value.endsWith('+00:00');
		return [name, isMoment ? respelledMoment(value, random) : value];
	});
	return Object.fromEntries(random.chance(0.5) ? members.reverse() : members);
}

function respelledMoment(text: string, random: Random): string {
	const hours = [-5, 0, 2][random.below(3)] ?? 0;
	const local = new Date(Date.parse(text) + hours * HOUR).toISOString().slice(0, -1);
	const digits = random.chance(0.5) ? '' : '000';
	return `${local}${digits}${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`;
}

/** Entries of one row that stand side by side. */
export function groupsOf(shown: readonly ShownChange[]): ShownChange[][] {
	const groups: ShownChange[][] = [];
	for (const one of shown) {
		const last = groups.at(-1);
		if (last?.[0]?.change.entity === one.change.entity) last.push(one);
		else groups.push([one]);
	}
	return groups;
}

/** One entry for a group of changes of one row. */
export function groupEntry(group: readonly ShownChange[]): Record<string, unknown> {
	const inGroup = new Set(['entityId', 'entity']);
	const events = group.map(({ entry }) =>
		Object.fromEntries(Object.entries(entry).filter(([name]) => !inGroup.has(name))),
	);
	return { entityId: `e${group[0]?.change.entity ?? ''}`, events };
}
