import { InvalidInput } from '../errors';

/** Where a batch of a list ended. */
export interface BatchEnd {
	/** Number of items before the next batch. */
	position: number;
	/** Number of items of the list. */
	count: number;
	/** Identity of the last item read. */
	last: string;
	/** Identity of the item after it; null if unknown. */
	next: string | null;
}

/** The item that locates the next batch: the last one read or, if that was removed, the next. */
export class BatchAnchor {
	private place: { at: number; isRead: boolean } | undefined;
	private last: string | undefined;
	private next: string | undefined;
	/** Position of the last item read, while the next one is searched for. */
	private lastAt: number | undefined;

	constructor(from: BatchEnd | undefined) {
		if (from) this.moveTo({ at: from.position - 1, last: from.last, next: from.next ?? undefined });
	}

	/** Position at which reading continues. */
	get at(): number {
		return this.place?.at ?? 0;
	}

	/** Whether the item at that position was read before. */
	get isRead(): boolean {
		return this.place?.isRead ?? false;
	}

	moveTo({ at, last, next }: { at: number; last: string; next: string | undefined }): void {
		this.place = { at, isRead: true };
		this.last = last;
		this.next = next;
	}

	/** Whether items that start at its position begin with it. */
	isAt([first]: readonly string[]): boolean {
		return !this.place || first === (this.isRead ? this.last : this.next);
	}

	end(count: number | undefined): BatchEnd | undefined {
		if (!this.place || this.last === undefined) return undefined;
		const position = this.at + 1;
		return { position, count: count ?? position, last: this.last, next: this.next ?? null };
	}

	/**
	 * Searches for it among some items of the list.
	 * @param from position of the first item
	 * @param isAll whether no other items are left to search
	 * @throws InvalidInput if the items have another order than before
	 */
	isFoundIn(ids: readonly string[], from: number, isAll: boolean): boolean {
		const last = this.last === undefined ? -1 : ids.indexOf(this.last);
		const next = this.next === undefined ? -1 : ids.indexOf(this.next);
		if (last !== -1) this.lastAt = from + last;
		const { lastAt } = this;
		if (next !== -1 && lastAt !== undefined && lastAt > from + next) throw otherOrder();
		const isDecided = next !== -1 || this.next === undefined || isAll;
		if (lastAt !== undefined && isDecided) this.place = { at: lastAt, isRead: true };
		else if (next !== -1) this.place = { at: from + next, isRead: false };
		else return false;
		this.lastAt = undefined;
		return true;
	}
}

function otherOrder(): InvalidInput {
	return new InvalidInput(
		'The last row of the preceding batch is now after the row that followed it',
		'Sort by columns whose values do not change while the batches are read, and start again without a cursor.',
	);
}
