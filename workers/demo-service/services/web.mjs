// @ts-check
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { endWithSupervisor } from './lifeline.mjs';

const [port, configFile = ''] = process.argv.slice(2);
endWithSupervisor();
const { greeting } = readConfig();

createServer((request, response) => {
  if (request.url === '/health') response.end('ok\n');
  else response.end(`${greeting}\n`);
}).listen(Number(port), '127.0.0.1');

function readConfig() {
  try {
    const config = JSON.parse(readFileSync(configFile, 'utf8'));
    if (typeof config.greeting !== 'string') throw new Error('"greeting" must be a text');
    if (!Number.isInteger(config.workers)) throw new Error('"workers" must be a whole number');
    return config;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`configuration error in web.conf.json: ${reason}\n`);
    process.exit(78);
  }
}
