import { gzipSync } from 'node:zlib';
import { aspect, type Settings } from '../aspect';
import { without, type Body, type VariantResponse } from '../exchange';

/** §9 names the media type of requests; that of responses is not shown. */
export const media = aspect({
	json: [
		'application/json; charset=utf-8',
		'application/hal+json',
		'application/vnd.service.hal;version=2',
		'none',
	],
	packing: ['plain', 'gzip', 'byte order mark'],
});
type Media = Settings<typeof media.dials>;

/** What goes over the wire. */
export function wireOf({ status, headers, body }: VariantResponse, settings: Media) {
	const data = packed(dataOf(body), body.kind, settings);
	const type =
		body.kind === 'json'
			? settings.json
			: body.kind === 'text'
				? (headers['content-type'] ?? 'text/plain')
				: headers['content-type'];
	const others = without(headers, 'content-type');
	return {
		status,
		headers: {
			...others,
			...(isCompressed(body.kind, settings) ? { 'content-encoding': 'gzip' } : {}),
			...(type === undefined || type === 'none' || body.kind === 'none' ? {} : { 'content-type': type }),
		},
		data,
	};
}

const isCompressed = (kind: Body['kind'], { packing }: Media) => packing === 'gzip' && kind !== 'none';

function packed(data: string | Buffer, kind: Body['kind'], settings: Media): string | Buffer {
	if (isCompressed(kind, settings)) return gzipSync(data);
	return settings.packing === 'byte order mark' && kind === 'json' ? `\ufeff${String(data)}` : data;
}

function dataOf(body: Body): string | Buffer {
	if (body.kind === 'bytes') return body.bytes;
	if (body.kind === 'text') return body.text;
	return body.kind === 'none' ? '' : JSON.stringify(body.value);
}
