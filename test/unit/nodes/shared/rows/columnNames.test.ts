import { fieldSchema } from '../../../../../client/resources/fields';
import { ColumnNames } from '../../../../../nodes/shared/rows/columnNames';

const names = (count: number) => Array.from({ length: count }, (_, n) => `C${n}`);

test.each([
	[0, 'no columns.'],
	[1, 'C0.'],
	[30, `${names(30).join(', ')}.`],
	[31, `${names(30).join(', ')}….`],
])('an unknown column in a grid of %d is refused with the names of up to 30', async (count, listed) => {
	const fields = names(count).map((name) => fieldSchema.parse({ id: name, name, type: { name: 'string' } }));
	const refused = Promise.resolve().then(() => ColumnNames.of(fields).get('Other', 'Sort By'));
	await expect(refused).rejects.toMatchObject({
		message: '"Sort By" refers to the column "Other", which the grid does not have',
		hint: `Choose another column in "Sort By". The grid has: ${listed}`,
	});
});
