/** Reads a day. @throws Error that continues "“text” …" */
export function dayOf(text: string) {
	const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
		throw new Error('is not a date; write it as 2026-03-31');
	return text;
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day as the language of the person writes it; other texts as they are. */
export function dayText(text: string) {
	const day = new Date(`${text}T00:00:00Z`);
	return Number.isNaN(day.getTime()) ? text : days.format(day);
}

/** Reads a moment, in local time unless it names a zone. @throws Error that continues "“text” …" */
export function momentOf(text: string) {
	const [, day, time = '', zone = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []; // prettier-ignore
	const moment = day && time && dayOf(day) ? new Date(`${day}T${time}${zone}`) : new Date(NaN);
	if (Number.isNaN(moment.getTime())) throw new Error('is not a date and time; write it as 2026-03-31 14:30');
	return moment.toISOString();
}
