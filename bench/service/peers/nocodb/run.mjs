/** Starts NocoDB as its own container image does; the port is in PORT, the folder of its data in NC_TOOL_DIR. */
import { createRequire } from 'node:module';
import { env } from 'node:process';

const require = createRequire(import.meta.url);
const express = require('express');
const cors = require('cors');
const { Noco } = require('nocodb');

const app = express();
app.enable('trust proxy');
app.use(cors());
const server = app.listen(Number(env['PORT']), '127.0.0.1', async () => {
	app.use(await Noco.init({}, server, app));
	process.stdout.write('ready\n');
});
