/** What people call the types of columns (§2.5), as in the connector for n8n. */
const LABELS = new Map(
	Object.entries({
		string: 'Text',
		richText: 'Rich Text',
		integer: 'Whole Number',
		decimal: 'Decimal Number',
		currency: 'Currency',
		boolean: 'Yes or No',
		date: 'Date',
		'date-time': 'Date and Time',
		enum: 'Choice',
		enumcollection: 'Several Choices',
		stringcollection: 'Several Texts',
		email: 'Email',
		phoneNumber: 'Phone Number',
		uri: 'Link',
		address: 'Address',
		geolocation: 'Geolocation',
		attachments: 'Attachments',
		signature: 'Signature',
		user: 'User',
		createdby: 'Created By',
		createdat: 'Created At',
		reference: 'Linked Row',
		references: 'Linked Rows',
		lookup: 'Lookup',
		formula: 'Formula',
		resource: 'Resource',
	}),
);

/** The label of a type; its name for a type that this page does not know. */
export const labelOfType = (name: string) => LABELS.get(name) ?? name;

/** Types with their labels, for a list to choose from: the usual ones first. */
export function typeChoices(names: readonly string[]) {
	const order = [...LABELS.keys()];
	const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
	return [...names]
		.sort((one, other) => place(one) - place(other))
		.map((name) => [name, labelOfType(name)] as const);
}
