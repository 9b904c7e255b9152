const MAX_CELL_WIDTH = 72;

/** @returns lines with aligned columns; long cells are truncated */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const cut = (text: string) =>
		text.length > MAX_CELL_WIDTH ? `${text.slice(0, MAX_CELL_WIDTH - 1)}…` : text;
	const cells = [head, ...rows].map((row) => row.map(cut));
	const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
	const lines = cells.map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
	return [lines[0] ?? '', widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)];
}
