import { fieldSchema } from '../../../../../client/resources/fields';
import { conditionsOption, filterOfAll } from '../../../../../nodes/shared/inputs/selection/conditions';

const given = conditionsOption({ displayName: 'Only', name: 'only', description: '' });
const column = (type: string) => fieldSchema.parse({ id: 'f1', name: 'Due', type: { name: type } });

/** The filter of a condition on a column of a type, in a workflow in Berlin. */
const filterOf = (type: string, operator: string, value: unknown) =>
	filterOfAll(given.read({ condition: [{ column: 'Due', operator, value }] }), {
		fields: [column(type)],
		timezone: 'Europe/Berlin',
		where: 'Only',
	});

beforeEach(() => {
	// In Berlin, it is already the first of March.
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-02-28T23:30:00Z'));
});
afterEach(() => {
	jest.restoreAllMocks();
});

test.each([
	['afterAgo', '$gt', '2026-01-30', '2026-01-29T23:30:00.000Z'],
	['beforeAgo', '$lt', '2026-01-30', '2026-01-29T23:30:00.000Z'],
	['afterAhead', '$gt', '2026-03-31', '2026-03-30T23:30:00.000Z'],
	['beforeAhead', '$lt', '2026-03-31', '2026-03-30T23:30:00.000Z'],
])('%s compares with the day or moment 30 days away by %s', (operator, compare, day, moment) => {
	expect(filterOf('date', operator, 30)).toEqual({ f1: { [compare]: day } });
	expect(filterOf('date-time', operator, '30')).toEqual({ f1: { [compare]: moment } });
});

test('0 days are now, in the time zone of the workflow', () => {
	expect(filterOf('date', 'beforeAgo', 0)).toEqual({ f1: { $lt: '2026-03-01' } });
	expect(filterOf('date-time', 'afterAhead', '0')).toEqual({ f1: { $gt: '2026-02-28T23:30:00.000Z' } });
});

test.each([
	['date', '', '"" as "Days"'],
	['date', -3, '-3 as "Days"'],
	['date', 'soon', '"soon" as "Days"'],
	['string', 30, 'the column has the type Text'],
])('a %s column refuses %j days', (type, days, reason) => {
	expect(() => filterOf(type, 'beforeAgo', days)).toThrow(reason);
});
