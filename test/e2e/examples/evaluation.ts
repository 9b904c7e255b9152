import assert from 'node:assert/strict';
import { startModel } from './model';
import { runByHand } from './running';
import { rows, withModel, type ExampleDemo } from './exampleDemo';

export async function agentEvaluation(demo: ExampleDemo) {
	const model = await startModel([
		(_, question) => ({
			name: 'Search_orders',
			arguments: { Text: /A-\d+/.exec(question)?.[0] ?? '' },
		}),
		(results, question) => {
			assert.match(results[0] ?? '', /Customer/);
			return question.includes('A-1002') ? 'BIRCHWOOD BIKES ordered it.' : 'I do not know.';
		},
	]);
	try {
		const workflow = await withModel(demo, 'agent-evaluation.json', { model });
		await runByHand(demo.rest, workflow, 'When you run it');
	} finally {
		model.close();
	}
	const scores = (await rows(demo, 'Agent Tests')).map(({ Question, Expected, Answer, Score }) => [
		Question,
		Expected,
		Answer,
		Number(Score),
	]);
	assert.deepEqual(scores.sort(), [
		['Who ordered A-1002?', 'Birchwood Bikes', 'BIRCHWOOD BIKES ordered it.', 1],
		['Who ordered A-1003?', 'Copper Kettle', 'I do not know.', 0],
	]);
}
