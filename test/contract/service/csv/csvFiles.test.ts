import {
	CSV_FILES,
	REFUSED_CSV_FILES,
	type CsvFile,
	type RefusedCsvFile,
} from '../../../../testbed/csvFiles';
import { allItems, objects, testService } from '../http';

const context = testService();
const { owner } = context;
let space: string;
beforeAll(async () => {
	space = await owner.create(`${context.home}/spaces`, { name: 'Uploads' });
});

let uploads = 0;

function upload({ file, encoding }: CsvFile | RefusedCsvFile, more: Record<string, string> = {}) {
	const form = new FormData();
	form.append('name', `File ${++uploads}`);
	const type = encoding === undefined ? 'text/csv' : `text/csv; charset="${encoding}"`;
	form.append('file', new Blob([typeof file === 'string' ? file : Uint8Array.from(file)], { type }), 'a.csv');
	for (const [name, value] of Object.entries(more)) form.append(name, value);
	return owner.upload(`${space}/uploadCSV`, form);
}

test.each(CSV_FILES)('a file with $what is previewed and uploaded', async (one) => {
	const preview = (await upload(one, { dryRun: 'true' })).json();
	const { columns, rows } = one;
	expect(objects(preview['columns']).map((column) => column['name'])).toEqual(columns);
	expect(preview['rows']).toEqual(rows.slice(0, 5).map((row) => row.map((cell) => cell ?? '')));
	const types = JSON.stringify(Object.fromEntries(columns.map((name) => [name, 'string'])));
	const reply = await upload(one, { types });
	expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
	const grid = reply.headers.get('location') ?? '';
	const fields = await owner.fields(grid);
	expect(fields.map((field) => field['name'])).toEqual(columns);
	const items = await allItems(owner, `${grid}/entities`, { layout: 'property' });
	expect(items.map((item) => columns.map((name) => item[name]))).toEqual(rows);
});

test.each(REFUSED_CSV_FILES)('$what is refused, and nothing is created', async (one) => {
	for (const more of [{}, { dryRun: 'true' }]) {
		const reply = await upload(one, more);
		expect([reply.status, reply.text]).toEqual([400, expect.any(String)]);
		const message = String(reply.json()['message']).toLowerCase();
		for (const word of one.words) expect(message).toContain(word.toLowerCase());
	}
	expect((await owner.get(`${space}/grids`)).text).not.toContain(`"File ${uploads - 1}"`);
});
