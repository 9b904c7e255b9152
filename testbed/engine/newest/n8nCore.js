const { join } = require('node:path');

const core = require(join(process.env.N8N_MODULES, 'n8n-core', 'dist', 'index.js'));

/** Newer engines take an object instead of positional arguments. */
class WorkflowExecute extends core.WorkflowExecute {
	run(workflow, startNode) {
		return super.run({ workflow, startNode });
	}
}

/** The newest `n8n-core` with the interface of the one in package.json. */
module.exports = { ...core, WorkflowExecute };
