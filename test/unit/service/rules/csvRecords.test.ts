import { RecordReader } from '../../../../service/rules/csvRecords';

const TOO_LONG = 8 * 1024 * 1024 + 1;

test.each([
	['a cell', '', 'line 2 has more than 8388608 characters'],
	['a cell whose quotation mark is not closed', '"', 'a cell in line 2 is not closed'],
])('%s that does not end is refused with the reason', (_what, start, message) => {
	const reader = new RecordReader(',', 1);
	expect(() => [...reader.read(`a\n${start}${'b'.repeat(TOO_LONG)}`)]).toThrow(message);
});
