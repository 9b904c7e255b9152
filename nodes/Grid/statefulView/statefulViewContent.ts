import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject } from '../../shared/inputs/json';

/**
 * Inputs for the content of a stateful view (§2.8). The specification only gives examples of types
 * (§1) and leaves the properties open.
 */
export const typeProperty: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'string',
	default: '',
	placeholder: 'e.g. kanban',
	description: 'How the rows are presented, for example kanban or calendar',
};
export const typeSchema = z.string().trim().min(1, 'a type is needed');

export const propertiesProperty: INodeProperties = {
	displayName: 'Properties (JSON)',
	name: 'properties',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "groupBy": "f1" }',
	description: 'A JSON object with the settings of the presentation, which depend on its type',
};

export const slotPropertiesProperty: INodeProperties = {
	displayName: 'Slot Properties (JSON)',
	name: 'slotProperties',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "title": "f1" }',
	description: 'A JSON object that assigns columns to the slots of the presentation',
};

export const propertiesSchema = jsonObject;
