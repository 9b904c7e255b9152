const { each, headersOf } = require('./sending.js');

/** The lower bound for any node: n8n's HTTP helper in a loop with limited concurrency. */
class HelperLoop {
	description = {
		displayName: 'Helper Loop',
		name: 'helperLoop',
		group: ['transform'],
		version: 1,
		description: 'Sends each item with the HTTP helper of n8n',
		defaults: { name: 'Helper Loop' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'httpBasicAuth', required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Ceiling', name: 'ceiling', type: 'number', default: 64 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const ceiling = this.getNodeParameter('ceiling', 0);
		const headers = headersOf(await this.getCredentials('httpBasicAuth'));
		const output = [];
		await each(items.length, ceiling, async (index) => {
			const body = JSON.stringify(items[index].json);
			await this.helpers.httpRequest({ method: 'POST', url, headers, body, encoding: 'text' });
			output[index] = { json: {} };
		});
		return [output];
	}
}

module.exports = { HelperLoop };
