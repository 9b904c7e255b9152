import { object, testService } from '../http';

const { anonymous } = testService();

const typeNames =
	'string richText integer decimal currency boolean date date-time enum enumcollection stringcollection email phoneNumber uri address geolocation attachments signature user createdby createdat reference references lookup formula resource';

const blockNames =
	'paragraph header html page layout IFrame entityList resourceBlock textInput integerInput decimalInput booleanInput dateInput dateAndTimeInput enumInput enumCollectionInput emailInput uriInput signatureInput videoInput gridInput resourceInput entityInput entityCollectionInput mimeEntityInput mimeEntityCollectionInput attachmentInput addressInput geoLocationInput dataGridScriptInput';

test('§4.1 GET /api/types: the field type names with their schema, without credentials', async () => {
	const reply = await anonymous.get('/api/types');
	expect(reply.status).toBe(200);
	const types: unknown = JSON.parse(reply.text);
	expect(types).toHaveLength(26);
	const names = Array.isArray(types) ? types.map((type) => object(type)['name']) : [];
	expect(names.join(' ')).toBe(typeNames);
	expect(types).toContainEqual({ name: 'boolean', schema: { type: 'boolean' } });
});

test('§4.1 GET /api/nodeTypes: a JSON array of the flow node types, without credentials', async () => {
	const names: unknown = JSON.parse((await anonymous.get('/api/nodeTypes')).text);
	expect(names).toHaveLength(19);
	expect(names).toEqual(expect.arrayContaining(['start', 'end', 'addEntity', 'sendHttpRequest', 'parallel']));
});

test('§2.9, §4.1 GET /api/blocks: one sample definition for each type, keyed by its name, without credentials', async () => {
	const samples = await anonymous.read('/api/blocks');
	expect(object(samples['paragraph'])).toEqual({
		type: 'paragraph',
		metaType: 'block',
		has_children: false,
		children: [],
		formKey: null,
		paragraph: {},
	});
	const address = object(samples['addressInput']);
	expect(address).toMatchObject({ metaType: 'formInput', has_children: true });
	expect(object(address['addressInput'])).toMatchObject({
		readonly: false,
		required: false,
		visible: true,
		type: { name: 'address', access: 'write' },
	});
	const children = Array.isArray(address['children']) ? address['children'].map(object) : [];
	expect(children.map((child) => child['formKey'])).toEqual([
		'line1',
		'line2',
		'city',
		'state',
		'country',
		'postCode',
		'geoLocation',
	]);
	expect(children.at(-1)).toMatchObject({ metaType: 'nestedFormInput', has_children: true });
	expect(Object.keys(samples).join(' ')).toBe(blockNames);
});

test('§4.1, §9 GET /api/version: the backend version as a JSON string, without credentials', async () => {
	const reply = await anonymous.get('/api/version');
	expect(JSON.parse(reply.text)).toBe('2.4.1348');
});

test('every response carries a Date header', async () => {
	for (const path of ['/api/version', '/api/nothing', '/api/users/me']) {
		expect((await anonymous.get(path)).headers.get('date')).toMatch(/ GMT$/);
	}
});
