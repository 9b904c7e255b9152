import { z } from 'zod/v4';
import { Forbidden } from '../errors';
import { fieldTypeSchema, type Field } from './fields';
import type { Grid, GridReference, Grids } from './grids';
import { findLink, pageSchema, resourceSchema, type Link, type Page } from '../hal/links';
import { createdBy } from '../session/created';
import { readPages, type Items } from '../session/paging';
import { paths, type GridAddress } from '../endpoints/paths';
import { changeLink, likelyLink, type UnnamedLink } from '../endpoints/permission';
import { Session, type Created } from '../session/session';
import type { Users } from './users';

/** §2.9 Gaps: no field of a form is shown, so only what every resource has is read, and all of it is kept. */
export const formSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().optional().catch(undefined),
	displayValue: z.string().optional().catch(undefined),
});
export type Form = z.infer<typeof formSchema>;

const formsPage = pageSchema(formSchema);

/** What a form asks for: values by field id (§4.4), and the label it has on the form. */
export interface FormInput {
	fieldId: string;
	label: string;
	required: boolean;
	readonly: boolean;
	/** §2.5, or undefined where the form does not tell. */
	type: Field['type'] | undefined;
}

/** §2.9: an input has a `formKey` and a member named like its type, which carries label, readonly, required and type. */
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

/** Blocks nested deeper than this are no form that a person can fill in. */
const DEEPEST = 20;

/** The inputs of a form, wherever in its representation they stand: below blocks (§2.9), or under a member of any name. */
export function inputsOf(form: object): FormInput[] {
	const found = new Map<string, FormInput>();
	const visit = (part: unknown, depth: number) => {
		if (depth > DEEPEST || typeof part !== 'object' || part === null) return;
		if (Array.isArray(part)) return part.forEach((one) => visit(one, depth + 1));
		const input = inputOf(part);
		// The parts of an address or an attachment (§2.9, nested) are parts of one value, not inputs of their own.
		if (input) {
			if (!found.has(input.fieldId)) found.set(input.fieldId, input);
			return;
		}
		for (const [name, member] of Object.entries(part)) if (name !== '_links') visit(member, depth + 1);
	};
	visit(form, 0);
	return [...found.values()];
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

/** A form that can be submitted. A creator may submit without reading (§5): then neither grid nor form are known. */
export interface OpenForm {
	address: GridAddress;
	id: string;
	grid: Grid | undefined;
	form: Form | undefined;
}

/** What is read, or undefined where this identity may not read it. */
export async function ifReadable<Value>(reading: Promise<Value>): Promise<Value | undefined> {
	return await reading.catch((error: unknown) =>
		error instanceof Forbidden ? undefined : Promise.reject(error),
	);
}

/** The forms of a grid (§4.4). Submitting one creates an entity. */
export class Forms {
	private readonly opened = new Map<string, Promise<OpenForm>>();

	constructor(
		private readonly session: Session,
		private readonly users: Users,
		private readonly grids: Grids,
	) {}

	/** One page of the forms of a grid. @throws Forbidden (§7) */
	async page(grid: Grid, query: { pageIndex?: number; pageSize?: number } = {}): Promise<Page<Form>> {
		const link = likelyLink(grid, { rels: ['forms'], method: 'GET', href: paths.forms(grid.address) });
		return await this.session.read(formsPage, Session.callOf(link, { query }));
	}

	/** The forms of a grid, up to `limit` of them. @throws what `page` throws */
	async many(grid: Grid, limit?: number): Promise<Items<Form>> {
		return await readPages({
			fetchPage: async (pageIndex, pageSize) => await this.page(grid, { pageIndex, pageSize }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** One form in full. @throws NotFound, Forbidden (§7) */
	async get(grid: Grid, formId: string): Promise<Form> {
		return await this.session.read(formSchema, { method: 'GET', href: paths.form(grid.address, formId) });
	}

	/**
	 * A form with its grid, as far as this identity may read them; opened once for each client.
	 * @throws NotFound, and Forbidden where not even the grid's space is known (§7)
	 */
	async open(reference: GridReference, formId: string): Promise<OpenForm> {
		const key = `${reference.spaceId ?? ''}/${reference.gridId}/${formId}`;
		const pending = this.opened.get(key) ?? this.find(reference, formId);
		this.opened.set(key, pending);
		pending.catch(() => this.opened.delete(key));
		return await pending;
	}

	/**
	 * Submits a form (§4.4): the values stand under field ids whatever the layout.
	 * @returns the new entity, if the service tells where it is
	 * @throws LinkMissing where this identity may not add entities to the grid, BadRequest where a value does not fit (§7)
	 */
	async submit(open: OpenForm, values: Record<string, unknown>): Promise<Created | undefined> {
		const link = submitLink(open);
		const answer = await this.session.send(Session.callOf(link, { body: values }));
		return await createdBy(this.session, answer, 'entity');
	}

	private async find(reference: GridReference, formId: string): Promise<OpenForm> {
		const { spaceId } = reference;
		const opening = this.grids.open(reference);
		// Without the space, a grid that cannot be read has no address either.
		const grid = spaceId === undefined ? await opening : await ifReadable(opening);
		if (grid) return { address: grid.address, id: formId, grid, form: await this.get(grid, formId) };
		const address = { userId: await this.users.id(), spaceId: spaceId ?? '', gridId: reference.gridId };
		return { address, id: formId, grid: undefined, form: undefined };
	}
}

/** §4.4: submitting takes the role addEntity, and that link of the grid is one that the spec names. */
function submitLink({ address, id, grid, form }: OpenForm): Link {
	const operation: UnnamedLink = { rels: ['submit'], method: 'POST', href: paths.form(address, id) };
	if (!grid || !form) return { href: operation.href, method: operation.method };
	return changeLink(form, findLink(grid, 'addEntity'), operation, `submit forms of "${grid.name}"`);
}
