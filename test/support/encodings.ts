const base64 = (text: string) => Buffer.from(text).toString('base64');
const units = (text: string, code: (unit: number) => string) =>
	Array.from({ length: text.length }, (_, index) => code(text.charCodeAt(index))).join('');
const hex = (text: string) => Buffer.from(text).toString('hex');

/** How a service may send back a secret: a name, and the text. @param name what stands before the secret in HTTP Basic, if anything */
export function encodingsOf(secret: string, name = ''): Array<[how: string, text: string]> {
	return [
		['as it is', secret],
		['name and secret', `${name}:${secret}`],
		['secret and name', `${secret}:${name}`],
		['Base64', base64(secret)],
		['Base64 of name and secret', base64(`${name}:${secret}`)],
		['Base64 of secret and name', base64(`${secret}:${name}`)],
		['Base64 within a header, encoded again', encodeURIComponent(`Basic ${base64(`${name}:${secret}`)}`)],
		['Base64url', Buffer.from(`${name}:${secret}`).toString('base64url')],
		['Base64 in lines', base64(`${name}:${secret}`).replace(/.{20}/g, '$&\r\n')],
		['URL', encodeURIComponent(secret)],
		['URL, every character', hex(secret).replace(/../g, '%$&')],
		['URL, twice', encodeURIComponent(encodeURIComponent(secret))],
		['form', new URLSearchParams({ secret }).toString().slice('secret='.length)],
		['hex', hex(secret)],
		['hex, capitals', hex(secret).toUpperCase()],
		['hex with colons', hex(secret).replace(/..(?=.)/g, '$&:')],
		['JSON', JSON.stringify(secret).slice(1, -1)],
		['JSON, every character', units(secret, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`)],
		['JSON within JSON', JSON.stringify(JSON.stringify({ secret }))],
		['HTML', secret.replace(/[&<>"']/g, (sign) => `&#${String(sign.charCodeAt(0))};`)],
		[
			'HTML, every character',
			Array.from(secret, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`).join(''),
		],
	];
}
