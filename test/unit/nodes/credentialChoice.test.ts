import type { INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../../nodes/Space/Space.node';

const nodes: INodeType[] = [
	new Entity(),
	new Form(),
	new Grid(),
	new EntityTrigger(),
	new PublicLink(),
	new PushNotification(),
	new Space(),
];
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

/** The rule `single-credential-per-node` of n8n's main branch, which no released plugin has yet. */
test.each(nodes.map(({ description }) => [description.displayName, description] as const))(
	'%s asks for one credential at a time',
	(_name, { credentials = [] }) => {
		expect(credentials.filter(({ displayOptions }) => displayOptions?.hide)).toEqual([]);
		const always = credentials.filter(({ displayOptions }) => !displayOptions?.show);
		expect(always).toHaveLength(credentials.length > 1 ? 0 : 1);
	},
);
