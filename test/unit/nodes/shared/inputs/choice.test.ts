import { choice, choices } from '../../../../../nodes/shared/inputs/choice';

const labels = { on: 'Switched On', off: { name: 'Switched Off', description: 'The default' } };
const one = choice('power', 'Power', labels, { default: 'off' });
const several = choices('powers', 'Powers', labels, { default: ['off'] });

test('shows the options in the order of the labels', () => {
	const options = [
		{ name: 'Switched On', value: 'on' },
		{ name: 'Switched Off', value: 'off', description: 'The default' },
	];
	expect(one.property).toMatchObject({ type: 'options', default: 'off', options });
	expect(several.property).toMatchObject({ type: 'multiOptions', default: ['off'], options });
});

test('accepts only the values of the options, and lists them in the error', () => {
	expect([one.read('on'), several.read(['off', 'on'])]).toEqual(['on', ['off', 'on']]);
	for (const wrong of ['toString', 'On', '', null, 1])
		expect(() => one.read(wrong)).toThrow('"Power" cannot be used: it is not one of "on", "off"');
	expect(() => several.read(['on', 'dim'])).toThrow('it is not one of "on", "off"');
	expect(() => several.read([])).toThrow('"Powers" cannot be used: choose at least one');
});
