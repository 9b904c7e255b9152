import { z } from 'zod/v4';
import { startItemsOf, unflatten } from '../../../testbed/n8n/execution';
import type { N8nRest } from '../../../testbed/n8n/rest';

const flatSchema = z.looseObject({ status: z.string(), data: z.string() });
const eventSchema = z.looseObject({
	redelivered: z.boolean().default(false),
	raw: z.looseObject({ id: z.union([z.string(), z.number()]), timestamp: z.string() }),
});

/**
 * What the executions of n8n hold of the trigger's events,
 * finished ones and those that a kill has cut.
 */
export class Account {
	/** by the event's own id */
	events: Map<string, { times: number; marked: number }> = new Map();

	#counted: Set<string> = new Set();
	executions = 0;
	crashed = 0;
	largest = 0;
	/** No event has come in a later execution, or later in its own, than one of a later moment. */
	isInOrder = true;
	#latest = 0;

	/**
	 * @param rest logged in
	 * @param trigger the trigger's name
	 */
	async collect(rest: N8nRest, workflowId: string, trigger: string) {
		for (const { id, status } of (await rest.executions(workflowId)).reverse()) {
			if (this.#counted.has(id) || status === 'running' || status === 'new') continue;
			this.#counted.add(id);
			const flat = await rest.call(flatSchema, 'GET', `/executions/${id}`);
			this.executions += 1;
			if (flat.status === 'crashed') this.crashed += 1;
			this.#count(eventsIn(unflatten(flat.data), trigger));
		}
	}

	#count(events: z.infer<typeof eventSchema>[]) {
		this.largest = Math.max(this.largest, events.length);
		for (const { raw, redelivered } of events) {
			const id = String(raw.id);
			const time = Date.parse(raw.timestamp);
			if (time < this.#latest) this.isInOrder = false;
			this.#latest = time;
			const { times, marked } = this.events.get(id) ?? { times: 0, marked: 0 };
			this.events.set(id, { times: times + 1, marked: marked + (redelivered ? 1 : 0) });
		}
	}

	/** @param written ids of the events that had to come */
	against(written: readonly string[]) {
		const lost = written.filter((id) => !this.events.has(id)).length;
		const events = [...this.events.values()];
		// A batch that n8n lost comes for the first time as redelivered.
		const doubled = events.reduce((sum, { times, marked }) => sum + Math.max(0, times - 1 - marked), 0);
		const redelivered = events.reduce((sum, { marked }) => sum + marked, 0);
		const { executions, crashed } = this;
		return {
			written: written.length,
			emitted: this.events.size,
			lost,
			doubled,
			redelivered,
			executions,
			crashed,
		};
	}
}

function eventsIn(raw: unknown, trigger: string) {
	return startItemsOf(raw, trigger).flatMap((json) => {
		const event = eventSchema.safeParse(json);
		return event.success ? [event.data] : [];
	});
}
