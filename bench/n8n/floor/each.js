/** Code shared by the loops. Not a node, because n8n loads only `*.node.js`. */

/** The headers of a request with JSON, from a Basic Auth credential of n8n. */
exports.headersOf = ({ user, password }) => ({
	authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
	'content-type': 'application/json',
});

/** Calls `work` for each number below `count`, at most `ceiling` at a time. */
exports.each = async (count, ceiling, work) => {
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < count; index = next++) await work(index);
	};
	await Promise.all(Array.from({ length: ceiling }, worker));
};
