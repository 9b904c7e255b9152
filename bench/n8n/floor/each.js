/**
 * Calls `work` for each number below `count`, at most `ceiling` at a time. Not a node, because n8n
 * loads only `*.node.js`.
 * @param {number} count
 * @param {number} ceiling
 * @param {(index: number) => Promise<void>} work
 */
exports.each = async (count, ceiling, work) => {
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < count; index = next++) await work(index);
	};
	await Promise.all(Array.from({ length: ceiling }, worker));
};
