import { LinkMissing } from '../../../../client/errors';
import type { Link, Linked } from '../../../../client/hal/links';
import { changeLink, likelyLink, type UnnamedLink } from '../../../../client/endpoints/permission';

const operation: UnnamedLink = { rels: ['update', 'edit'], method: 'PATCH', href: '/documented' };
const with_ = (links: Record<string, Link>): Linked => ({ _links: new Map(Object.entries(links)) });
const adding: Link = { href: '/entities', method: 'post' };

test.each([
	[
		'the likeliest name',
		{ edit: { href: '/e', method: 'patch' }, update: { href: '/u', method: 'patch' } },
		'/u',
	],
	['another likely name', { edit: { href: '/e', method: 'PATCH' } }, '/e'],
	[
		'one that has the documented method',
		{ update: { href: '/u', method: 'put' }, edit: { href: '/e', method: 'patch' } },
		'/e',
	],
	['the documented address where no name is there', { self: { href: '/s' } }, '/documented'],
	['the documented address where the method is another', { update: { href: '/u' } }, '/documented'],
])('%s is followed', (_what, links, href) => {
	expect(likelyLink(with_(links), operation).href).toBe(href);
	expect(changeLink(with_(links), adding, operation, 'change it').href).toBe(href);
});

test('without any name, and without the right to add, nothing is to be sent', () => {
	const refused = () => changeLink(with_({ self: { href: '/s' } }), undefined, operation, 'change it');
	expect(refused).toThrow(LinkMissing);
	expect(refused).toThrow('Your API key may not change it: its links are self, without update');
});

test('a likely name is right enough without the right to add', () => {
	const link = { href: '/u', method: 'patch' };
	expect(changeLink(with_({ update: link }), undefined, operation, 'change it')).toBe(link);
});
