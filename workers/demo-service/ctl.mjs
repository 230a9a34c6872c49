// @ts-check
/** `democtl`: the command by which agents and people look after the demo's services. */
import { readFileSync } from 'node:fs';

const USAGE =
  'usage: democtl status | restart <service> | repair-config <service> | break crash | break config';

const [controlFile = '', order = '', subject] = process.argv.slice(2);
process.exitCode = await run();

async function run() {
  if (order === 'status') return printStatus(await ask('GET', '/status'));
  if (!['restart', 'repair-config', 'break'].includes(order) || !subject) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const answer = await ask('POST', `/${order}/${encodeURIComponent(subject)}`);
  (answer.ok ? process.stdout : process.stderr).write(`${answer.message}\n`);
  return answer.ok ? 0 : 1;
}

/** @param {{ name: string, isUp: boolean, pid: number | null, detail: string }[]} services */
function printStatus(services) {
  for (const { name, isUp, pid, detail } of services) {
    process.stdout.write(`${name}: ${isUp ? `up, pid ${pid}` : `down, ${detail}`}\n`);
  }
  return services.every((service) => service.isUp) ? 0 : 3;
}

/** @param {string} method @param {string} path */
async function ask(method, path) {
  try {
    const { port, token } = JSON.parse(readFileSync(controlFile, 'utf8'));
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
    return await response.json();
  } catch {
    process.stderr.write('The demo service does not answer. Start Tierwatch with npm start.\n');
    process.exit(4);
  }
}
