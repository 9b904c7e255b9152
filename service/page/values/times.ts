/** Reads a day. @throws Error that continues "“text” …" */
export function dayOf(text: string) {
	const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
		throw new Error('is not a date; write it as 2026-03-31');
	return text;
}

/** Reads a moment, in local time unless it names a zone. @throws Error that continues "“text” …" */
export function momentOf(text: string) {
	const [, day, time = '', zone = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []; // prettier-ignore
	const moment = day && time && dayOf(day) ? new Date(`${day}T${time}${zone}`) : new Date(NaN);
	if (Number.isNaN(moment.getTime())) throw new Error('is not a date and time; write it as 2026-03-31 14:30');
	return moment.toISOString();
}
