/** A text without what people and services may ignore: the case and composition of its letters. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');
