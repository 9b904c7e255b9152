import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { NodeRun } from '../../../../testbed/engine/engine';
import { fileItem } from '../../../../testbed/world/fileItem';
import type { World } from '../../../../testbed/world/world';
import type { GridRunOptions, WorldGrid } from '../../../../testbed/world/worldGrid';

/** Creates an empty grid with a key column and columns of several types. */
export async function createStockGrid(world: World): Promise<WorldGrid> {
	return await world.grid({
		Item: 'string',
		Count: 'integer',
		Since: 'date-time',
		Tags: 'stringcollection',
	});
}

const withKeyColumns = z.custom<{ keyColumns: string[] }>();

/** Content of a file, or the item that has the file. */
export type SyncedFile = string | Buffer | INodeExecutionData;

/** Runs Sync From File on a grid. */
export async function importFile(
	grid: WorldGrid,
	file: SyncedFile,
	parameters: Record<string, unknown> = {},
	options: GridRunOptions = {},
): Promise<NodeRun> {
	const item = typeof file === 'string' || Buffer.isBuffer(file) ? fileItem(file) : file;
	const given = withKeyColumns.parse({ keyColumns: ['Item'], ...parameters });
	return await grid.run('importFile', given, [item], options);
}
