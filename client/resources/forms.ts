import { z } from 'zod/v4';
import { Forbidden } from '../errors';
import { fieldTypeSchema, type Field } from './fields';
import type { Grid, GridReference, Grids } from './grids';
import { endpoints } from '../endpoints/endpoints';
import type { GridAddress } from '../endpoints/paths';
import { partOfGrid } from '../endpoints/permission';
import { idSchema, resourceSchema } from '../hal/links';
import { listSource } from '../lists/listSource';
import { listOf } from '../lists/page';
import type { ListSource } from '../lists/readList';
import type { Cache } from '../session/cache';
import type { Created, Session } from '../session/session';

/** §2.9 Gaps: the members of a form are not specified: all are kept, few are checked. */
const formSchema = resourceSchema.extend({
	id: idSchema,
	name: z.string().optional().catch(undefined),
	displayValue: z.string().optional().catch(undefined),
});
export type Form = z.infer<typeof formSchema>;

const formList = listOf(formSchema);

/** An input of a form. Values are submitted by field id (§4.4). */
export interface FormInput {
	fieldId: string;
	label: string;
	required: boolean;
	readonly: boolean;
	/** §2.5; undefined if the form does not contain it. */
	type: Field['type'] | undefined;
}

/** §2.9: an input has a `formKey`, and a member named like its type with its details. */
const inputSchema = z.looseObject({ type: z.string(), formKey: z.string().min(1) });
const inputMemberSchema = z.looseObject({
	label: z.string().optional().catch(undefined),
	required: z.boolean().catch(false),
	readonly: z.boolean().catch(false),
	type: fieldTypeSchema.optional().catch(undefined),
});
const blockSchema = z.looseObject({
	metaType: z.string().optional(),
	children: z.array(z.unknown()).optional(),
});

/** Maximum nesting of blocks, deeper than in any usable form. */
const MAX_DEPTH = 20;

/** The inputs of a form, in blocks (§2.9) or in a member of any name. */
export function inputsOf(form: object): FormInput[] {
	const inputs = new Map<string, FormInput>();
	const visit = (part: unknown, depth: number) => {
		if (depth > MAX_DEPTH || typeof part !== 'object' || part === null) return;
		if (Array.isArray(part)) return part.forEach((one) => visit(one, depth + 1));
		const input = inputOf(part);
		// Nested inputs (§2.9), e.g. of an address or attachment, are parts of one value.
		if (input) {
			if (!inputs.has(input.fieldId)) inputs.set(input.fieldId, input);
			return;
		}
		for (const [name, member] of Object.entries(part)) if (name !== '_links') visit(member, depth + 1);
	};
	visit(form, 0);
	return [...inputs.values()];
}

function inputOf(part: object): FormInput | undefined {
	const input = inputSchema.safeParse(part);
	if (!input.success || blockSchema.safeParse(part).data?.metaType === 'nestedFormInput') return undefined;
	const { type: kind, formKey, options } = input.data;
	const member = inputMemberSchema.safeParse(input.data[kind] ?? part);
	const { label, required, readonly, type } = member.data ?? { required: false, readonly: false };
	const choices = fieldTypeSchema.safeParse({ ...type, options });
	return {
		fieldId: formKey,
		label: label || formKey,
		required: required ?? false,
		readonly: readonly ?? false,
		type: options !== undefined && choices.success ? choices.data : type,
	};
}

/** Grid and form are undefined for a creator, who may submit without reading (§5). */
export interface OpenForm {
	address: GridAddress;
	id: string;
	grid: Grid | undefined;
	form: Form | undefined;
}

/** The result of reading, or undefined if this identity may not read. */
export async function ifReadable<Value>(reading: Promise<Value>): Promise<Value | undefined> {
	return await reading.catch((error: unknown) =>
		error instanceof Forbidden ? undefined : Promise.reject(error),
	);
}

/** The forms of a grid (§4.4). Submitting one creates an entity. */
export class Forms {
	private readonly opened: Cache<OpenForm>;

	constructor(
		private readonly session: Session,
		private readonly grids: Grids,
	) {
		this.opened = session.cacheOf('grid');
	}

	/** The forms of a grid. @throws Forbidden (§7) */
	list(grid: Grid): ListSource<Form> {
		const identity = ({ id }: Form) => id;
		return listSource(this.session, formList, [endpoints.formList, grid], { identity });
	}

	/** One form in full. @throws NotFound, Forbidden (§7) */
	async get(grid: Grid, formId: string): Promise<Form> {
		return await this.session.fetch(formSchema, endpoints.formGet, partOfGrid(grid, { formId }));
	}

	/**
	 * A form with its grid, as far as this identity may read them; requested once per client.
	 * @throws NotFound, and Forbidden if the reference contains no space (§7)
	 */
	async open(reference: GridReference, formId: string): Promise<OpenForm> {
		const key = `${reference.spaceId ?? ''}/${reference.gridId}/${formId}`;
		return await this.opened.get(key, () => this.find(reference, formId));
	}

	/**
	 * Submits a form (§4.4). The keys of the values are always field ids.
	 * @throws LinkMissing, BadRequest if a value does not fit (§7)
	 */
	async submit({ address, id, grid, form }: OpenForm, values: Record<string, unknown>): Promise<Created> {
		const target = grid ? partOfGrid(grid, { formId: id }, form) : { address: { ...address, formId: id } };
		return await this.session.createAt(endpoints.formSubmit, target, { body: values });
	}

	private async find(reference: GridReference, formId: string): Promise<OpenForm> {
		const { spaceId } = reference;
		const opening = this.grids.open(reference);
		// Without the space, the address of an unreadable grid is unknown, too.
		const grid = spaceId === undefined ? await opening : await ifReadable(opening);
		if (grid) return { address: grid.address, id: formId, grid, form: await this.get(grid, formId) };
		const userId = await this.session.currentUser.id();
		const address = { userId, spaceId: spaceId ?? '', gridId: reference.gridId };
		return { address, id: formId, grid: undefined, form: undefined };
	}
}
