import type { INodeProperties } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Form } from '../../nodes/Form/Form.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { Space } from '../../nodes/Space/Space.node';
import { offered, type Offered } from './cases';

/** What an agent has to choose by: it sees descriptions and nothing else. */

/** Inputs with those within them, each by the labels that lead to it. */
function described(properties: readonly INodeProperties[], under = ''): Array<[string, INodeProperties]> {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property): Array<[string, INodeProperties]> => {
			const path = `${under}${property.displayName}`;
			const members = (property.options ?? []).flatMap((option) => {
				if ('values' in option) return option.values;
				return 'type' in option ? [option] : [];
			});
			return [[path, property], ...described(members, `${path} → `)];
		});
}

test.each([new Entity(), new Form(), new Grid(), new Space()])(
	'$description.displayName can be a tool',
	({ description }) => {
		expect(description.usableAsTool).toBe(true);
		expect(description.description.length).toBeGreaterThan(20);
	},
);

test.each(offered.map((operation): [string, Offered] => [operation.title, operation]))(
	'%s says what it does, and what each of its inputs means',
	(_title, { option, properties }) => {
		expect(option.action).toMatch(/^[A-Z][^A-Z]* .+/);
		expect(option.description?.length ?? 0).toBeGreaterThan(20);
		// An option that holds others is described by them.
		const silent = described(properties).filter(
			([, { type, description }]) => type !== 'collection' && (description ?? '').length < 15,
		);
		expect(silent.map(([path]) => path)).toEqual([]);
	},
);
