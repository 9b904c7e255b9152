/** The names of §2.5. */
export const fieldTypeNames = [
	'string', 'richText', 'integer', 'decimal', 'currency', 'boolean', 'date', 'date-time', 'enum', 'enumcollection',
	'stringcollection', 'email', 'phoneNumber', 'uri', 'address', 'geolocation', 'attachments', 'signature', 'user', 'createdby',
	'createdat', 'reference', 'references', 'lookup', 'formula', 'resource',
] as const; // prettier-ignore
export type FieldTypeName = (typeof fieldTypeNames)[number];
