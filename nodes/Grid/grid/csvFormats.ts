import type { Field } from '../../../client';
import { csvOpening } from '../../shared/csv/header';
import { csvLine } from '../../shared/csv/line';
import { CsvReader } from '../../shared/csv/reader';
import { FormatDetection, readings, type ChosenFormats } from '../../shared/rows/textFormats';

/** Zeros at the end of a fraction: a service may take them for a text that must be kept. */
const FURTHER_ZEROS = /\.0*$|(?<=\.\d*[1-9])0+$/;

/** Types of columns whose texts depend on the format. */
const TYPES = ['decimal', 'date-time'];

/** A column that the new grid may have. */
const columnOf = (name: string, type: string): Field => ({
	...{ id: name, name, key: null, description: null, schema: undefined, required: undefined },
	...{ type: { name: type, options: undefined }, _links: new Map() },
});

/**
 * A CSV text whose columns of numbers and dates are written as programs write them, so that the
 * service finds out their types; other columns stay as they are.
 * @returns the text, undefined if it stays as it is, and examples of the formats that were guessed
 * @throws InvalidInput if the text is no CSV, or if nothing tells which format is meant
 */
export function inProgramFormats(text: string, chosen: ChosenFormats) {
	const { delimiter, start } = csvOpening(`${text}\n`) ?? { delimiter: ',', start: 0 };
	const reader = new CsvReader(delimiter);
	const [head, ...rows] = [...reader.read(text.slice(start)), ...reader.end()];
	const detection = new FormatDetection();
	const columns = (head?.cells ?? []).map((name, at) => {
		const cells = rows.flatMap(({ cells: all }) => all[at] || []);
		const isOf = (field: Field) =>
			cells.every((cell) => readings(field, cell)?.some((reading) => reading !== undefined));
		const field = TYPES.map((type) => columnOf(name ?? '', type)).find(isOf);
		for (const cell of field ? cells : []) if (field) detection.add(field, cell);
		return { field, cells };
	});
	const { formats, guessed } = detection.formats(chosen);
	const readAs = ({ type }: Field) =>
		(type.name === 'decimal' ? formats.number === 'point' : formats.date === 'dayFirst') ? 0 : 1;
	const converters = columns.map(({ field, cells }) => {
		const read = (cell: string) => field && readings(field, cell)?.[readAs(field)];
		const isRead = cells.every((cell) => read(cell) !== undefined);
		if (!isRead || cells.every((cell) => read(cell) === cell)) return undefined;
		return (cell: string) => read(cell)?.replace(FURTHER_ZEROS, '');
	});
	if (converters.every((convert) => convert === undefined)) return { text: undefined, guessed: [] };
	const lines = rows.map(({ cells }) =>
		cells.map((cell, at) => (cell ? (converters[at]?.(cell) ?? cell) : cell)),
	);
	return { text: [head?.cells ?? [], ...lines].map((cells) => csvLine(cells)).join(''), guessed };
}
