import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';

const DATABASE = 'database.sqlite';
const tablesSchema = z.array(z.object({ name: z.string() }));
const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/**
 * Everything that a stopped n8n has left behind, by where it stands: each file of a folder as it is
 * on the disk (the database and its write-ahead log among them), and each row of the database as it
 * is read, because a long text lies in pieces on the disk.
 */
export async function leftBehind(folder: string): Promise<Map<string, string>> {
	const found: Map<string, string> = new Map();
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		found.set(relative(folder, file), await readFile(file, 'latin1'));
		if (entry.name === DATABASE) for (const [where, text] of rowsOf(file)) found.set(where, text);
	}
	return found;
}

/** @returns each table's rows as one text */
function rowsOf(file: string): [string, string][] {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const tables: unknown = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		return tablesSchema.parse(tables).map(({ name }) => {
			const rows: unknown = database.prepare(`SELECT * FROM "${name}"`).all();
			return [`table ${name}`, rowsSchema.parse(rows).flatMap(Object.values).map(asText).join('\n')];
		});
	} finally {
		database.close();
	}
}

/** @param value of a cell */
function asText(value: unknown) {
	return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

/**
 * @param texts by where they stand
 * @param wanted by what they are called
 * @returns what was found where
 */
export function search(
	texts: ReadonlyMap<string, string>,
	wanted: ReadonlyMap<string, string | RegExp>,
): string[] {
	return [...texts].flatMap(([where, text]) =>
		[...wanted].flatMap(([what, one]) =>
			(typeof one === 'string' ? text.includes(one) : one.test(text)) ? [`${what} in ${where}`] : [],
		),
	);
}
