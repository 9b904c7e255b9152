import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';

/** @type {string[]} */
const folders = [];
after(async () => {
	for (const folder of folders) await rm(folder, { recursive: true });
});

/**
 * Creates a folder that is deleted after the tests.
 * @param {Readonly<Record<string, string>>} [files] its files: texts by path
 * @returns {Promise<string>} its path
 */
export async function temporaryFolder(files = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'datagrid-scripts-'));
	folders.push(folder);
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), text);
	}
	return folder;
}
