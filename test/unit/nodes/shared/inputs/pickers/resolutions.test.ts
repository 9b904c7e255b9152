import { Resolutions } from '../../../../../../nodes/shared/inputs/pickers/resolvedPickers';

describe('what a picker stands for', () => {
	test('is asked for once, and again after its lifetime', async () => {
		const clock = jest.spyOn(performance, 'now');
		const resolutions = new Resolutions({ lifetime: 30_000 });
		const ask = jest.fn().mockResolvedValue('id');
		const counts: number[] = [];
		for (const now of [0, 29_999, 30_000]) {
			clock.mockReturnValue(now);
			expect(await resolutions.of('grid', ask)).toBe('id');
			counts.push(ask.mock.calls.length);
		}
		clock.mockRestore();
		expect(counts).toEqual([1, 1, 2]);
	});

	test('is asked for again after a failure, which stays readable', async () => {
		const resolutions = new Resolutions();
		const ask = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue('id');
		await expect(resolutions.of('grid', ask)).rejects.toThrow('away');
		expect(resolutions.get('grid')).toMatchObject({ state: 'failed' });
		expect(await resolutions.of('grid', ask)).toBe('id');
	});
});
