import { send, upload } from '../session/api.js';
import { ask, waiting } from '../elements/dialog.js';
import { counted, h } from '../elements/dom.js';

const form = (values) => {
	const data = new FormData();
	for (const [name, value] of Object.entries(values)) data.append(name, value);
	return data;
};

/** Shows a preview of the import, with an input for the type of each column. */
async function preview(link, { name, file }, types) {
	const plan = await send(link, { form: form({ name, dryRun: 'true', file }) });
	const cells = (index) => plan.rows.map((row) => row[index] ?? '').filter(Boolean).join(' · '); // prettier-ignore
	const rows = plan.columns.map(({ name: column, type: { name: guess } }, index) => {
		const options = types.map((type) =>
			h('option', { value: type, textContent: type, selected: type === guess }),
		);
		const properties = { 'aria-label': `Type of ${column}`, 'data-column': column, 'data-guess': guess };
		const choice = h('select', properties, ...options);
		return h(
			'tr',
			{},
			h('td', { textContent: column }),
			h('td', {}, choice),
			h('td', { textContent: cells(index).slice(0, 120) }),
		);
	});
	const head = h(
		'tr',
		{},
		...['Column', 'Type', 'First values'].map((text) => h('th', { textContent: text })),
	);
	const text = `${counted(plan.numberOfRows, 'row')}, ${counted(plan.columns.length, 'column')}`;
	return h(
		'div',
		{},
		h('p', { textContent: text }),
		h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)),
	);
}

/** Shows the progress of the upload; the progress of the import itself is unknown. */
function showPart(place, part) {
	const isSent = part === 1;
	const text = isSent
		? 'The file was sent. The service is creating the grid…'
		: `${Math.floor(part * 100)} % of the file sent`;
	const bar = isSent
		? h('progress', { ariaLabel: text })
		: h('progress', { value: part, ariaLabel: 'File sent' });
	place.replaceChildren(bar, text);
}

/** Creates a grid from a CSV file, after a preview. */
export async function importCsv(space, done) {
	const isWaiting = waiting();
	const types = (await send({ href: '/api/types', method: 'get' })).map(({ name }) => name);
	if (!isWaiting()) return;
	const link = space._links.uploadCSV;
	const show = (values, isOpen) =>
		preview(link, values, types).then((plan) => {
			if (!isOpen()) return;
			const progress = h('p', { role: 'status' });
			const stop = new AbortController();
			const dialog = ask({
				title: `Import “${values.name}”`,
				fields: [plan, progress],
				action: 'Import',
				run: async () => {
					const changed = [...plan.querySelectorAll('select')].filter(
						(one) => one.value !== one.dataset.guess,
					);
					const chosen = Object.fromEntries(changed.map((one) => [one.dataset.column, one.value]));
					const location = await upload(link, form({ ...values, types: JSON.stringify(chosen) }), {
						tell: (part) => showPart(progress, part),
						signal: stop.signal,
					});
					await done(location);
				},
			});
			dialog.addEventListener('close', () => stop.abort());
		});
	ask({
		title: `Import a CSV file into “${space.name}”`,
		fields: [
			{ name: 'name', label: 'Name of the new grid', required: true, maxLength: 80 },
			{ name: 'file', label: 'File', type: 'file', accept: '.csv,.tsv,.txt,text/csv', required: true },
		],
		action: 'Preview',
		run: ({ name, file }, isOpen) => show({ name, file }, isOpen),
	});
}
