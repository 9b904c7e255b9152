const decimal = new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;

/** Whether the language of the person writes 1.5 with a comma. */
export const hasComma = decimal === ',';
