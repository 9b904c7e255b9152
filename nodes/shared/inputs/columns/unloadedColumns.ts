import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { z } from 'zod/v4';
import { toNodeError } from '../../display/nodeError';
import { escaped } from '../../display/shownText';

const storedSchema = z.looseObject({ schema: z.array(z.unknown()).min(1) });

/**
 * The result if columns cannot be loaded. n8n's mapper shows no error, so the notice contains it;
 * an empty list would remove stored columns, so the error is thrown if there are any.
 * @param input the mapper's name
 */
export function unloadedColumns(
	context: ILoadOptionsFunctions,
	input: string,
	error: unknown,
): ResourceMapperFields {
	const failure = toNodeError(context, error);
	if (storedSchema.safeParse(context.getCurrentNodeParameter(input)).success) throw failure;
	const emptyFieldsNotice = `${escaped(failure.message)}. ${failure.description ?? ''}`;
	return { fields: [], emptyFieldsNotice };
}
