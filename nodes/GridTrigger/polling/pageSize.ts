import { MAX_RESPONSE_BYTES } from '../../../client/http/responseLimit';
import type { FeedEvent, FeedPage } from './feed';
import { MAX_PAGE_SIZE } from './scan';

/** Full pages to read after a larger size was refused; each further refusal doubles the number. */
const FIRST_PAUSE = 4;

/**
 * The page size to request. It doubles while pages are full; a size that the service refuses is
 * tried again after increasing pauses, so that few requests are wasted.
 */
export class PageSize {
	private pause = FIRST_PAUSE;
	private pagesToWait = 0;
	private isTrial = false;

	constructor(public value: number) {}

	/** Requests smaller pages, because pages are too large or end early. */
	shrinkTo(size: number): void {
		this.value = size;
		if (this.isTrial) this.pause *= 2;
		this.isTrial = false;
		this.pagesToWait = this.pause;
	}

	/** Requests larger pages if more follows and a page of twice the size would fit. */
	follow({ events, listed = events.length, bytes = 0, more }: FeedPage<FeedEvent>): void {
		const isEmpty = listed === 0;
		if (isEmpty && more === 'no') return;
		if ((!isEmpty && listed < this.value) || bytes >= MAX_RESPONSE_BYTES.text / 4) return;
		this.isTrial = !isEmpty && this.pagesToWait === 0 && this.value < MAX_PAGE_SIZE;
		// An empty page does not show how large the following entries are.
		if (isEmpty || this.isTrial) this.value = Math.min(MAX_PAGE_SIZE, 2 * this.value);
		else this.pagesToWait = Math.max(0, this.pagesToWait - 1);
	}
}
