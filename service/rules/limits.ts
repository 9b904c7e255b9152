import { badRequest } from './errors';

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Limits of this service, as its README lists them. §8 names the first two; the others keep what
 * one caller sends or stores from costing others time or memory. Lengths are in characters.
 */
export const LIMITS = {
	/** Of spaces and grids. */
	nameLength: 80,
	keyLength: 25,
	/** Names without a limit in §8: columns and their keys, access keys, icons, types of views. */
	textLength: 1000,
	descriptionLength: 100_000,
	/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
	emailLength: 254,
	/** User name and password of a public link. */
	loginLength: 1000,
	/** Of a space or grid, and each of the two of a stateful view, as JSON. */
	propertiesBytes: 64 * KiB,
	/** Columns, filter and sorting of a view, as JSON. */
	definitionBytes: 128 * KiB,
	fields: 1000,
	/** Types and descriptions of all fields of a grid, as JSON. */
	schemaBytes: 2 * MiB,
	/** People with a role in a space or stateful view. */
	shares: 1000,
	cellLength: 100_000,
	longCellLength: 1_000_000,
	uriLength: 10_000,
	listElements: 1000,
	conditions: 200,
	/** `$contains` in a filter: each reads a whole cell. */
	textConditions: 20,
	filterDepth: 10,
	/** Values in all `$in` of a filter. */
	listedValues: 2000,
	jsonDepth: 64,
	bodyBytes: 2 * MiB,
	uploadBytes: 64 * MiB,
	/** Of address and headers. */
	headerBytes: 128 * KiB,
	/** Of an account on the page; a further one ends the oldest. */
	sessions: 20,
	/** Unanswered requests of a connection. */
	pipelined: 16,
	pageSize: 1000,
	copiedEntities: 200_000,
} as const;

/** A size for people. */
export const sizeText = (bytes: number): string =>
	bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`;

/** @throws ServiceError 400 for too many people with a role in a space or stateful view */
export function requireRoom(others: number): void {
	if (others >= LIMITS.shares)
		throw badRequest(`It is shared with ${LIMITS.shares} people, and more are refused`);
}
