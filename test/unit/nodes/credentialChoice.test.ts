import type { INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { Space } from '../../../nodes/Space/Space.node';

const nodes: INodeType[] = [new Entity(), new Form(), new Grid(), new GridTrigger(), new Space()];
const conditionsSchema = z.record(z.string(), z.array(z.string()));

test.each(nodes.map(({ description }) => [description.displayName, description] as const))(
	'the editor hides no input of %s as a choice of authentication',
	(_name, { credentials = [], properties }) => {
		expect(credentials.length).toBeGreaterThan(0);
		const shownFor = new Map<string, Set<unknown>>();
		for (const { displayOptions } of credentials)
			for (const [name, values] of Object.entries(conditionsSchema.parse(displayOptions?.show ?? {})))
				shownFor.set(name, new Set([...(shownFor.get(name) ?? []), ...values]));
		// The editor hides an input if all its options are in the conditions of credentials.
		const hidden = properties.filter(({ name, options = [] }) => {
			const values = shownFor.get(name);
			return values && options.every((option) => !('value' in option) || values.has(option.value));
		});
		expect(hidden.map(({ name }) => name)).toEqual([]);
	},
);
