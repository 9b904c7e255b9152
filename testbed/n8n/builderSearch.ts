import { createRequire } from 'node:module';
import { z } from 'zod/v4';
import type { N8nInstall } from '../../scripts/setup/n8n.mjs';

interface SearchEngine {
	searchByName(query: string): unknown;
}

const catalogSchema = z.object({
	NodeSearchEngine: z.custom<new (types: unknown[]) => SearchEngine>((value) => typeof value === 'function'),
});
const resultsSchema = z.array(z.object({ name: z.string(), builderHintMessage: z.string().optional() }));

/**
 * Searches node types with the engine of n8n's AI builder.
 * @param types all types that n8n has loaded
 * @returns the results for a query, the best first
 * @throws if this version of n8n has no such engine; 2.41 has one
 */
export function builderSearch({ script }: N8nInstall, types: unknown[]) {
	const { NodeSearchEngine } = catalogSchema.parse(createRequire(script)('@n8n/ai-utilities/node-catalog'));
	const engine = new NodeSearchEngine(types);
	return (query: string) => resultsSchema.parse(engine.searchByName(query));
}

const generatorSchema = z.object({
	generateNodeTypeFile: z.custom<(type: unknown) => unknown>((value) => typeof value === 'function'),
});

/**
 * What n8n's AI builder reads about a node type: the types of its parameters, with patterns.
 * @throws if this version of n8n has no such generator; 2.41 has one
 */
export function builderDefinition({ script }: N8nInstall) {
	const path = '@n8n/workflow-sdk/scripts/generate-types';
	const { generateNodeTypeFile } = generatorSchema.parse(createRequire(script)(path));
	return (type: unknown) => z.string().parse(generateNodeTypeFile(type));
}
