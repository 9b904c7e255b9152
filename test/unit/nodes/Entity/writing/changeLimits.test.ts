import { gridSchema } from '../../../../../client/resources/grids';
import { excessiveShare } from '../../../../../nodes/Entity/writing/changeLimits';

const address = { userId: 'u', spaceId: 's', gridId: 'g' };
const grid = { ...gridSchema.parse({ id: 'g', name: 'Grid' }), address };
const refusal = (rows: number, all: number, percent: number) =>
	excessiveShare({ grid, rows, all, percent, verb: 'deleted', advice: '' })?.message;

test.each([
	[57, 10_000, 0.57],
	[999, 3000, 33.3],
	[1, 5, 20],
	[2, 2, 100],
	[0, 2, 0],
	[0, 0, 0],
])('%d of %d rows are no more than %d %%, one more is', (rows, all, percent) => {
	expect(refusal(rows, all, percent)).toBeUndefined();
	expect(refusal(rows + 1, all, percent)).toContain(`which is more than ${percent} %`);
});
