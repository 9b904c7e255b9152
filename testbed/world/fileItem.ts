import type { INodeExecutionData } from 'n8n-workflow';

/** An input item with a file in n8n's memory. */
export function fileItem(content: string | Buffer, fileName = 'orders.csv'): INodeExecutionData {
	const data = Buffer.from(content).toString('base64');
	return { json: {}, binary: { data: { data, mimeType: 'text/csv', fileName } } };
}
