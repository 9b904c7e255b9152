import { ConnectionFailed, statusError } from '../../../../client/errors';
import { mayHaveBeenCarriedOut } from '../../../../client/errors/failures';

const row = {
	method: 'PUT',
	origin: 'https://grids.example.com',
	path: '/api/users/u/spaces/s/grids/g/entities/e',
};

test('413 for a row says that the row is too large, for another request that the request is', () => {
	expect(statusError({ ...row, status: 413 }, {})).toMatchObject({ title: 'The row is too large' });
	const other = statusError({ ...row, path: '/api/users/u/spaces/s/uploadCSV', status: 413 }, {});
	expect(other).toMatchObject({ title: 'The request is too large' });
	expect(other.hint).toContain('Shorten its values');
});

test('a connection closed while a row is sent says that the row is too large, and wrote nothing', () => {
	const cut = new ConnectionFailed('EPIPE', true, row);
	expect(cut.message).toContain('The row is too large');
	expect(mayHaveBeenCarriedOut(cut)).toBe(false);
	expect(mayHaveBeenCarriedOut(new ConnectionFailed('ECONNRESET', true, row))).toBe(true);
});

test.each(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT'])('%s is called a timeout', (code) => {
	const late = new ConnectionFailed(code, true, { ...row, method: 'GET' });
	expect(late.message).toBe('No response from the service (timeout)');
	expect(late.hint).toContain('took too long');
	expect(late.hint).not.toContain('closed');
});

test('a 502 has the status and the host that it came from', () => {
	expect(statusError({ ...row, status: 502 }, {})).toMatchObject({
		source: 'status 502 from grids.example.com',
	});
});
