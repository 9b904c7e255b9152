import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod/v4';
import { frozenNode } from '../frozen/names';
import type { Step } from './workflow';

const shown = ({ displayOptions }: INodeProperties) => {
	const versions = z.array(z.number()).safeParse(displayOptions?.show?.['@version']);
	const isForTools = displayOptions?.show?.['@tool'] !== undefined;
	return !isForTools && (!versions.success || versions.data.includes(1));
};

/** Inputs that version 1 shows in the editor, including those inside collections. */
const ofVersion1 = (properties: INodeProperties[]): INodeProperties[] =>
	properties.filter(shown).map((property) => {
		const options = property.options?.filter((option) => !('type' in option) || shown(option));
		return { ...property, ...(options ? { options } : {}) };
	});

/** Returns the paths of all inputs of version 1, e.g. `entity.get.options.outputColumns`. */
export function parametersOf(description: INodeTypeDescription): string[] {
	const { parameters } = frozenNode({ ...description, properties: ofVersion1(description.properties) });
	return Object.keys(parameters);
}

const recordSchema = z.record(z.string(), z.unknown());
const isValue = (key: string) => ['value', 'mode', '__rl'].includes(key);

function pathsIn(parameters: Record<string, unknown>, parent: string): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => {
		const path = parent + name;
		const members = [value].flat().flatMap((member) => {
			const { data } = recordSchema.safeParse(member);
			return data && !Object.keys(data).every(isValue) ? pathsIn(data, `${path}.`) : [];
		});
		return [path, ...members];
	});
}

/**
 * Returns the resource and the operation of a saved node; the trigger has none. n8n does not save
 * defaults.
 */
export function chosenIn({ parameters }: Step, { properties }: INodeTypeDescription) {
	const resource = parameters.resource ?? properties.find(({ name }) => name === 'resource')?.default;
	if (typeof resource !== 'string') return undefined;
	const choice = properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.some((value) => value === resource),
	);
	const operation = parameters.operation ?? choice?.default;
	if (typeof operation !== 'string') throw new Error(`${resource} has no default operation`);
	return { resource, operation };
}

/** Returns the paths of the inputs that a saved node sets. */
export function usedIn(step: Step, description: INodeTypeDescription): string[] {
	const chosen = chosenIn(step, description);
	if (!chosen) return pathsIn(step.parameters, '');
	const { resource, operation } = chosen;
	return ['resource', `${resource}.operation`, ...pathsIn(step.parameters, `${resource}.${operation}.`)];
}
