import { NotFound } from '../errors';
import { epochTime } from '../formats/epoch';
import { isJsonObject } from '../formats/json';
import { parseMoment, timestampOf } from '../formats/moment';
import { outcomeOf } from '../http/limiter';
import { parseResponse, textOf, type ServiceResponse } from '../session/responses';
import { ACCEPTED, SEE_OTHER, unknownOutcome } from '../session/writeResult';
import { entitySchema, type Entity, type Values } from './entityRows';

/**
 * The row in its new state, which §4.5 promises as the response to a PUT. If the response has no
 * content, or its content is elsewhere (303), the row is read.
 * @param read reads the row in the layout of the values
 * @throws OutcomeUnknown if the response does not show that the row was changed
 */
export async function rowAfter(
	answer: ServiceResponse,
	values: Values,
	read: () => Promise<Entity>,
): Promise<Entity> {
	if (answer.status === ACCEPTED) return await changedRow(answer, values, read);
	const isEmpty = textOf(answer.body).trim() === '';
	const row = isEmpty ? undefined : parseResponse(entitySchema, answer);
	return row && answer.status !== SEE_OTHER ? row : await read();
}

/** The row after a change that was only accepted (202): it must hold what was written. */
async function changedRow(
	answer: ServiceResponse,
	values: Values,
	read: () => Promise<Entity>,
): Promise<Entity> {
	const reading = await outcomeOf(read());
	if (reading.state === 'failed') throw unknownOutcome(answer);
	const row = reading.value;
	const isWritten = Object.entries(values).every(([key, value]) => equals(value, row[key]));
	if (!isWritten) throw unknownOutcome(answer);
	return row;
}

/** Whether a returned value is the one that was sent, possibly in another spelling. */
function equals(sent: unknown, returned: unknown): boolean {
	if (isBlank(sent) || isBlank(returned)) return isBlank(sent) && isBlank(returned);
	if (Array.isArray(sent)) return Array.isArray(returned) && haveEqualMembers(sent, returned);
	// A service derives further members, such as labels.
	if (isJsonObject(sent))
		return (
			isJsonObject(returned) && Object.entries(sent).every(([name, member]) => equals(member, returned[name]))
		);
	if (isSameMoment(sent, returned)) return true;
	const isNumber = [sent, returned].some((value) => typeof value === 'number');
	return isNumber ? Number(sent) === Number(returned) : String(sent) === String(returned);
}

/** A service may store an empty text or list as no value. */
const isBlank = (value: unknown) =>
	value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The order does not count: options are a set. */
function haveEqualMembers(sent: readonly unknown[], returned: readonly unknown[]): boolean {
	return (
		sent.length === returned.length && sent.every((member) => returned.some((other) => equals(member, other)))
	);
}

/** A service may show a date-time as a number. Two numbers are compared as such. */
function isSameMoment(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' && typeof other !== 'string') return false;
	const [left, right] = [one, other].map(timeOf);
	return left !== undefined && left === right;
}

/** Milliseconds since 1970 of a text (ISO 8601), or of a number in any unit. */
function timeOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return epochTime(value);
	const moment = parseMoment(value);
	return moment && timestampOf(moment, 'UTC');
}

/**
 * Checks that a row is gone whose deletion was only accepted (202).
 * @throws OutcomeUnknown if it is still there, or cannot be looked up
 */
export async function checkGone(answer: ServiceResponse, read: () => Promise<Entity>): Promise<void> {
	if (answer.status !== ACCEPTED) return;
	const reading = await outcomeOf(read());
	if (reading.state === 'done' || !(reading.error instanceof NotFound)) throw unknownOutcome(answer);
}
