import type { IDataObject, IPollFunctions, Workflow } from 'n8n-workflow';
import type { GridTrigger } from '../../nodes/GridTrigger/GridTrigger.node';
import { pollContext, type NodeSettings } from './n8n';

type Row = IDataObject;

/** A workflow that is active in n8n, with what n8n would have in memory and in its database. */
export class ActiveTrigger {
	/** n8n's database: the static data as text. */
	saved: string | undefined;
	workflow: Workflow | undefined;
	private context: IPollFunctions | undefined;

	constructor(
		private readonly node: GridTrigger,
		public settings: NodeSettings,
	) {}

	/** n8n polls at once on activation, and saves the static data. @throws what the poll throws: n8n then deactivates again */
	async activate(node = this.node): Promise<Row[]> {
		this.load();
		const rows = await this.poll(node);
		this.save();
		return rows;
	}

	/** Loads what was saved, as a start of n8n or an edit of the workflow does. */
	load(): void {
		const staticData = this.saved === undefined ? {} : { staticData: parse(this.saved) };
		const { context, workflow } = pollContext(this.settings, staticData);
		this.context = context;
		this.workflow = workflow;
	}

	/** One poll; static data is saved only where it emits. */
	async poll(node = this.node): Promise<Row[]> {
		if (!this.context) throw new Error('The workflow is not active');
		const items = await node.poll.call(this.context);
		if (items === null) return [];
		this.save();
		return items.flat().map(({ json }) => json);
	}

	save(): void {
		this.saved = JSON.stringify(this.workflow?.staticData ?? {});
	}
}

function parse(text: string): IDataObject {
	return Object.fromEntries(Object.entries(JSON.parse(text) as IDataObject));
}
