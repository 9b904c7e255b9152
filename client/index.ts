import { AccessKeys } from './resources/accessKeys';
import { Entities } from './resources/entities';
import { Fields } from './resources/fields';
import { Forms } from './resources/forms';
import { Grids } from './resources/grids';
import { History } from './resources/history';
import { Meta } from './resources/meta';
import { Session, type SessionOptions } from './session/session';
import { Shares } from './resources/shares';
import { Spaces } from './resources/spaces';
import { StatefulViews } from './resources/statefulViews';
import type { Transport } from './http/transport';
import { Updates } from './resources/updates/updates';
import { Views } from './resources/views';

export * from './errors';
export { endpoints, type ResourceType } from './endpoints/endpoints';
export { decoded, idInPath, idInUrl, idsInUrl, lastSegmentOf, pathOf } from './endpoints/paths';
export { permits } from './endpoints/permission';
export { concernsAllItems, isTransient, isUnreachable, requestedWaitOf } from './errors/failures';
export { exactNumber } from './formats/decimalDigits';
export type { FieldTypeName, ValueTypeName } from './formats/fieldTypes';
export { addToGroup } from './formats/memory';
export {
	isJsonObject,
	jsonObject,
	jsonObjectOr,
	jsonOf,
	ownMember,
	parseJson,
	recordOf,
} from './formats/json';
export { fieldTypeIn } from './formats/jsonSchema';
export { localDate, parseMoment, timestampOf, timesAroundSkipped, toTimestamp } from './formats/moment';
export { BoundedMap, oncePer } from './formats/memory';
export { redact, type Redact, redactorOf, truncated } from './formats/redaction';
export { type Digest, digestOf, TextNumbers } from './formats/textNumbers';
export { expandHref, type Linked } from './hal/links';
export { type Outcome, outcomeOf, type Settled } from './http/limiter';
export { isReadableInTransit } from './http/baseUrl';
export { MAX_INTERACTIVE_VALUES, MAX_RESPONSE_BYTES, ResponseTooLarge } from './http/responseLimit';
export type { RetryOptions } from './http/retry';
export { decodedText, type Transport, type TransportRequest, type TransportResponse } from './http/transport';
export { readBatch } from './lists/batch';
export { DEFAULT_PAGE_SIZE, type ListPage, MAX_PAGE_SIZE, type PageRequest } from './lists/page';
export { ListReading } from './lists/listReading';
export { type Items, type ListSource, readList, streamList, type UnstableRead } from './lists/readList';
export type { AccessKey } from './resources/accessKeys';
export type { EntitiesQuery, Entity, Filter, Layout, Sorting, Values } from './resources/entities';
export {
	type Field,
	type FieldPatch as FieldChange,
	fieldSchema,
	isWritable,
	type NewField,
	optionAsSent,
	optionValue,
} from './resources/fields';
export { type Form, inputsOf, type OpenForm } from './resources/forms';
export type { Grid, GridChange, GridReference } from './resources/grids';
export type { MappedEntity } from './resources/entities';
export { type LinkAccess, parsePublicLink, PublicForms } from './resources/publicForms';
export { PublicRows } from './resources/publicRows';
export {
	parsePushUrl,
	type PushConnection,
	type PushProvider,
	sendNotification,
	type Texts,
} from './resources/push';
export { withFieldNames } from './resources/refusedValues';
export { emailsOf, type Share, shareId } from './resources/shares';
export {
	type Matching,
	RESOURCE_TYPES,
	type ResourceReference,
	type Space,
	type SpaceChange,
} from './resources/spaces';
export type { StatefulView } from './resources/statefulViews';
export { absentColumns } from './resources/summaries';
export { EntryIdentities } from './resources/updates/updateIdentity';
export type { Update, UpdateKind } from './resources/updates/updates';
export { filterOf, sortingOf } from './resources/views';
export { Cache } from './session/cache';
export type { Created } from './session/created';
export { resourceAt } from './session/resourceAt';
export { Session } from './session/session';

/**
 * The service's API, one member per resource. It caches: create one per execution.
 * @param options.transport how requests are sent, with the credentials
 * @param options.baseUrl address of the service, with or without a path prefix, a trailing slash or
 * `/api`
 * @param options.retry overrides the default retry policy; false: each call is sent once
 * @param options.ceiling maximum number of concurrent requests; 64 if omitted
 * @throws InvalidInput if the base URL is unusable
 */
export function createClient(options: { transport: Transport; baseUrl: string } & SessionOptions) {
	const session = new Session(options.transport, options.baseUrl, options);
	const spaces = new Spaces(session);
	const grids = new Grids(session, spaces);
	const fields = new Fields(session);
	return {
		session,
		accessKeys: new AccessKeys(session),
		meta: new Meta(session),
		spaces,
		shares: new Shares(session),
		grids,
		fields,
		entities: new Entities(session, fields, grids),
		history: new History(session),
		updates: new Updates(session),
		views: new Views(session),
		statefulViews: new StatefulViews(session),
		forms: new Forms(session, grids),
	};
}

export type Client = ReturnType<typeof createClient>;
