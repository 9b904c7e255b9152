import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';
import { z } from 'zod/v4';
import { caseOf, offered, type Offered } from '../../n8n/cases';
import { Difference, holds, same } from '../difference';
import { jsonSchema, type VariantRequest } from '../exchange';
import { told, type Trial } from '../trial';
import type { Probe } from './probe';

const parametersSchema = z.custom<INodeParameters>();
const inputSchema = z.custom<Array<IDataObject | INodeExecutionData>>();

/** What the embedded service was asked to write, without what differs from run to run. */
const writeOf = ({ method, path, body }: VariantRequest): string =>
	normal(JSON.stringify([method, path, body.kind === 'json' ? body.value : body.kind]));
const normal = (text: string) =>
	text
		.replace(/[0-9a-f]{24}|\bf[0-9a-f]{9}\b/g, '#')
		.replace(/(\/api\/[ar]\/#\/)[^/"]+/g, '$1#')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '#')
		.replace(/([A-Za-z]) ?\d+/g, '$1#');

interface Came {
	writes: string[];
	rows: number;
	/** The service showed no link to the operation. */
	isNotOffered?: true;
}

/** Operations for which the specification names neither a link nor a path. */
const LINK_ONLY = new Set(['grid → share.delete', 'space → share.delete']);

/** Whether the service may show no link that the specification does not name. */
const mayLackLinks = ({ variant }: Trial): boolean =>
	variant.links.rels === 'other' || variant.members.unnamed === 'left out';

/** What an operation comes to before the embedded service as it is. */
const plainly = new Map<string, Came>();

function isAnswer(row: unknown, output: object): boolean {
	try {
		expect(row).toMatchObject(output);
		return true;
	} catch {
		return false;
	}
}

async function attempt(trial: Trial, operation: Offered): Promise<Came> {
	const { world, service } = trial.trials;
	const { parameters, input, output } = caseOf(operation);
	const given = jsonSchema.parse(JSON.parse(JSON.stringify(await parameters(world))));
	const shown = z.custom<object>().parse(trial.outward(parametersSchema, given));
	const located = JSON.stringify(shown).replaceAll(world.proxy.url, service.root);
	// An item of Get Changes names its position by the ids that the service shows.
	const items =
		input && trial.outward(inputSchema, jsonSchema.parse(JSON.parse(JSON.stringify(input(world)))));
	const parsed = parametersSchema.parse(JSON.parse(located));
	service.written.length = 0;
	const run = await trial.run(operation, parsed, items);
	const writes = service.written.map(writeOf).sort();
	if (run.error && LINK_ONLY.has(operation.title) && mayLackLinks(trial)) {
		holds(
			`${operation.title} reports that it is not offered`,
			told(run.error).includes('offers no link'),
			run.error,
		);
		return { writes, rows: 0, isNotOffered: true };
	}
	if (run.error) throw new Difference(`${operation.title} failed: ${told(run.error)}`);
	// Runs share the account, so a list may begin with what another run has left.
	const rows = trial.inward(run.rows);
	if (!rows.some((row) => isAnswer(row, output)))
		throw new Difference(
			`${operation.title}: no row is as expected\n    found    ${inspect(rows).slice(0, 1500)}`,
		);
	return { writes, rows: run.rows.length };
}

async function asPlainly(trial: Trial, operation: Offered): Promise<void> {
	const expected =
		plainly.get(operation.title) ?? (await trial.plainly((plain) => attempt(plain, operation)));
	plainly.set(operation.title, expected);
	const found = await attempt(trial, operation);
	same(`${operation.title}: what was written`, found.writes, found.isNotOffered ? [] : expected.writes);
}

/** Of so many runs an operation is part of one. */
const EVERY = 12;

/** Every operation that a node offers. */
export const offeredProbes: Probe[] = offered.map((operation) => ({
	name: `offered: ${operation.title}`,
	every: EVERY,
	isOnStage: true,
	run: (trial) => asPlainly(trial, operation),
}));
