import type { INodeProperties } from 'n8n-workflow';
import { requireDefined } from '../../../../../nodes/shared/inputs/parameter';

const member: INodeProperties = { displayName: 'Value', name: 'value', type: 'string', default: '' };
const rows: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'fixedCollection',
	default: {},
	options: [{ displayName: 'Condition', name: 'condition', values: [member] }],
};
const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
	options: [member, rows],
};

test.each([
	['"Value"', member, undefined],
	['"Value" in "Options"', options, { value: undefined }],
	['"Value" in "Conditions"', rows, { condition: { value: undefined } }],
	['"Value" in row 2 of "Conditions"', rows, { condition: [{ value: 'a' }, { value: undefined }] }],
	['"Value" in row 1 of "Conditions"', options, { conditions: { condition: [{ value: undefined }] } }],
])('an expression that returns nothing is named with its place: %s', (place, property, raw) => {
	expect(() => {
		requireDefined(property, raw);
	}).toThrow(`The expression of ${place} returns nothing`);
});
