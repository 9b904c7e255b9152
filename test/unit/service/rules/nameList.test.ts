import fc from 'fast-check';
import { nameIn, namesIn, namesText, nameText } from '../../../../service/rules/nameList';

/** Names of the characters that matter, and any others. */
const name = fc.oneof(
	fc.string({ unit: fc.constantFrom(',', '"', ' ', '\n', '\r', '[', '{', 'a'), minLength: 1 }),
	fc.string({ unit: 'grapheme', minLength: 1 }),
);

test('every name and every list of names is read as it was written', () => {
	fc.assert(
		fc.property(fc.array(name), (names) => {
			expect(namesIn(namesText(names))).toEqual(names);
			for (const one of names) expect(nameIn(nameText(one))).toBe(one);
		}),
	);
});

test('names are written as people read them, and quotes stand only where they matter', () => {
	expect(namesText(['Abt', 'Smith, John', '5" pipe'])).toBe('Abt, "Smith, John", 5" pipe');
	expect(nameText('Smith, John')).toBe('Smith, John');
	// No name is taken for the JSON of links.
	expect(nameText('[Draft] plan')).toBe('"[Draft] plan"');
});

test('lists of people are read with line breaks, odd spaces and quotes that are characters', () => {
	expect(namesIn('Abt\r\n Zorn ,, "a, b" ,')).toEqual(['Abt', 'Zorn', 'a, b']);
	expect(namesIn('"A" and B, "open')).toEqual(['"A" and B', '"open']);
	expect(nameIn(' Smith, John ')).toBe('Smith, John');
});
