const { each } = require('./each.js');

/**
 * The lower bound for any node: sends requests with n8n's HTTP helper and limited concurrency. For
 * operations by key it sends the same requests as the operation, evaluates the same expression per
 * item and outputs as many items.
 */
class Loop {
	description = {
		displayName: 'Loop',
		name: 'loop',
		group: ['transform'],
		version: 1,
		description: 'Reads pages, looks up and creates rows with the HTTP helper of n8n',
		defaults: { name: 'Loop' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'httpBasicAuth', required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Pages', name: 'pages', type: 'number', default: 0 },
			{ displayName: 'Look-ups', name: 'lookUps', type: 'number', default: 0 },
			{ displayName: 'Writes', name: 'writes', type: 'number', default: 0 },
			{ displayName: 'Key', name: 'key', type: 'string', default: '' },
			{ displayName: 'Ceiling', name: 'ceiling', type: 'number', default: 64 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const of = (name) => this.getNodeParameter(name, 0);
		const [url, pages, lookUps, writes, ceiling] = ['url', 'pages', 'lookUps', 'writes', 'ceiling'].map(of);
		const { user, password } = await this.getCredentials('httpBasicAuth');
		const headers = {
			authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
			'content-type': 'application/json',
		};
		const send = async (address, more = {}) =>
			await this.helpers.httpRequest({ method: 'GET', url: address, headers, encoding: 'text', ...more });
		const keys = of('key') === '' ? [] : items.map((_, index) => this.getNodeParameter('key', index));
		const read = [];
		await each(pages, ceiling, async (index) => {
			const text = await send(`${url}?layout=field&pageSize=1000&pageIndex=${index + 1}`);
			read[index] = JSON.parse(text).items;
		});
		await each(lookUps, ceiling, async (index) => {
			JSON.parse(await send(`${url}?layout=field&pageSize=1&pageIndex=${index + 1}`));
		});
		await each(writes, ceiling, async (index) => {
			const body = JSON.stringify(items[index].json);
			await send(`${url}?layout=property`, { method: 'POST', body });
		});
		return [items.map(({ json }, item) => ({ json: { ...json, key: keys[item] }, pairedItem: { item } }))];
	}
}

module.exports = { Loop };
