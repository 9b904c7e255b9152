import type { INodeProperties } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Form } from '../../nodes/Form/Form.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { PublicLink } from '../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../nodes/Space/Space.node';
import { offered, withTitles } from './cases';

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
