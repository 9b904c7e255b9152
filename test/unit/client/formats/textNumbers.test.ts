import { TextNumbers } from '../../../../client/formats/textNumbers';

test('each text keeps its number, in the order of first appearance, while the table grows', () => {
	const numbers = new TextNumbers();
	const texts = Array.from({ length: 20_000 }, (_, index) => `row ${index}`);
	expect(texts.map((text) => numbers.add(text))).toEqual(texts.map((_, index) => index));
	expect(texts.map((text) => numbers.add(text))).toEqual(texts.map((_, index) => index));
	expect(texts.map((text) => numbers.numberOf(text))).toEqual(texts.map((_, index) => index));
	expect(numbers.size).toBe(20_000);
	expect(['row 20000', 'row', ''].flatMap((text) => numbers.numberOf(text) ?? [])).toEqual([]);
});
