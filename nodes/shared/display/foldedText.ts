/**
 * A text without what people and services may ignore: the case and composition of its letters. In
 * upper case first, because only there is ß the same as ss.
 */
export const folded = (text: string): string =>
	text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
