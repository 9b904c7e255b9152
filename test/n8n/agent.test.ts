import {
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Form } from '../../nodes/Form/Form.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { PublicLink } from '../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../nodes/Space/Space.node';
import { z } from 'zod/v4';
import { isItem, runNode } from '../../testbed/engine/engine';
import { toolOf } from '../../testbed/engine/tool';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { caseOf, offered, withTitles } from './cases';
import { badInputsOf } from './cases/badInputs';

const world = SampleWorld.forTests();

/** An agent chooses by descriptions only, so each operation and each input needs one. */

/** Flattens nested inputs; the path of each consists of labels. */
function flattened(properties: readonly INodeProperties[], under = ''): Array<[string, INodeProperties]> {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((property): Array<[string, INodeProperties]> => {
			const path = `${under}${property.displayName}`;
			const members = (property.options ?? []).flatMap((option) => {
				if ('values' in option) return option.values;
				return 'type' in option ? [option] : [];
			});
			return [[path, property], ...flattened(members, `${path} → `)];
		});
}

test.each([new Entity(), new Form(), new Grid(), new PublicLink(), new PushNotification(), new Space()])(
	'$description.displayName can be a tool',
	({ description }) => {
		expect(description.usableAsTool).toBe(true);
		expect(description.description.length).toBeGreaterThan(20);
	},
);

test.each(withTitles(offered))(
	'%s and each of its inputs have a description',
	(_title, { option, properties }) => {
		expect(option.action).toMatch(/^[A-Z][^A-Z]* .+/);
		expect(option.description?.length ?? 0).toBeGreaterThan(20);
		// A collection is described by its members.
		const withoutText = flattened(properties).filter(
			([, { type, description }]) => type !== 'collection' && (description ?? '').length < 15,
		);
		expect(withoutText.map(([path]) => path)).toEqual([]);
	},
);

test("n8n's own description of a tool names operation and node, and never the grid", () => {
	const grid = { __rl: true, mode: 'list', value: 's1/g1', cachedResultName: 'Orders' };
	const parameters = { resource: 'entity', operation: 'create', descriptionType: 'auto', grid };
	const type = 'n8n-nodes-datagrid.entityTool';
	const node: INode = { id: '1', name: 'Tool', type, typeVersion: 1, position: [0, 0], parameters };
	const text = NodeHelpers.getToolDescriptionForNode(node, toolOf(new Entity()));
	expect(text).toBe('Create row in DataGrid');
});

const parametersSchema = z.custom<INodeParameters>((value) => typeof value === 'object');
/** Leaves the input to the model. */
const byModel = (parameters: INodeParameters) =>
	parametersSchema.parse(
		JSON.parse(JSON.stringify(parameters).replaceAll('$json.nothing', "$fromAI('argument')")),
	);

const seen = new Set<string>();
/** Inputs that a model may fill in and this test has not tried: operations share them. */
const inputsOf = (operation: (typeof offered)[number]) =>
	badInputsOf(world, operation).filter(({ mistake, path }) => {
		const names = JSON.stringify(path.map(({ name, type }) => [name, type]));
		return mistake === 'an expression without a value' && seen.size < seen.add(names).size;
	});

test.each(withTitles(offered))(
	'as a tool, %s takes null as an argument that is missing',
	async (_title, operation) => {
		const { parameters, input } = caseOf(operation);
		const outcome = async (given: INodeParameters, query: IDataObject) => {
			world.listen();
			const settings = world.settings({
				...operation,
				parameters: { ...(await parameters(world)), ...given },
			});
			const asked = (input?.(world) ?? [{}]).map((item) =>
				isItem(item) ? { ...item, json: { ...item.json, query } } : { ...item, query },
			);
			const run = runNode({ ...settings, type: `${settings.type}Tool` }, asked);
			const { rows, hints, error } = await run.catch((refused: unknown) => ({
				...{ rows: [], hints: [] },
				error: refused instanceof Error ? refused : new Error(String(refused)),
			}));
			const text = [error?.message, ...hints].join(' ').replace(/[0-9a-f]{8,}/g, 'ID');
			return { text, rows: rows.length, sent: world.writes.map((request) => request.split(' ')[0]) };
		};
		for (const { path, shownBy, parameters: wrong } of inputsOf(operation)) {
			const given = { ...shownBy, ...byModel(wrong) };
			const missing = await outcome(given, {});
			const name = path.map(({ displayName }) => displayName).join(' → ');
			expect([name, await outcome(given, { argument: null })]).toEqual([name, missing]);
		}
	},
	120_000,
);
