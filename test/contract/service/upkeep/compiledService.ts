import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync, type Options } from '@swc/core';

const OPTIONS = {
	jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
	module: { type: 'commonjs' },
} satisfies Options;

/** The service compiled to JavaScript, to run as a process. Types are checked separately. */
export class CompiledService {
	// Beside the sources, where the compiled files find node_modules and the page.
	private readonly folder = mkdtempSync(join(process.cwd(), 'dist-service-'));
	readonly main = join(this.folder, 'main.js');

	constructor() {
		for (const path of readdirSync('service', { recursive: true, encoding: 'utf8' })) {
			if (!path.endsWith('.ts')) continue;
			const compiled = join(this.folder, path.replace(/\.ts$/, '.js'));
			mkdirSync(dirname(compiled), { recursive: true });
			writeFileSync(compiled, transformFileSync(join('service', path), OPTIONS).code);
		}
	}

	remove(): void {
		rmSync(this.folder, { recursive: true });
	}
}
