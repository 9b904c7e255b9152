// Runs n8n's own lint command with its unmodified strict config over the published rooms. The other rooms (service, test, scripts …)
// have an eslint.config.mjs of their own: the flag makes ESLint read the config nearest to each file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/paths.mjs';

// What the project makes is no source of it: n8n's config, which may not be modified, would have all of it read, and a run of n8n
// leaves thousands of scripts there.
const build = join(root, 'build');
mkdirSync(build, { recursive: true });
writeFileSync(join(build, 'eslint.config.mjs'), "export default [{ ignores: ['**/*'] }];\n");

const { status } = spawnSync('n8n-node', ['lint', ...process.argv.slice(2)], {
	stdio: 'inherit',
	shell: process.platform === 'win32',
	env: { ...process.env, ESLINT_FLAGS: 'unstable_config_lookup_from_file' },
});
process.exitCode = status ?? 1;
