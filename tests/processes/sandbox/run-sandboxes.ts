/**
 * Starts two sandboxes at once, each with an agent that starts 300 processes, in whatever account this
 * program is started. Prints how many processes a sandbox should allow, and how many each agent got.
 *
 * `argv[2]`: a folder of its own, `argv[3]`: the folder above `dist`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@/workers/runner/process/start';
import { hostMounts, readOnly } from '@/workers/runner/sandbox/host-view';
import { openSandboxHost } from '@/workers/runner/sandbox/sandbox-host';
import { sandboxStart } from '@/workers/runner/sandbox/sandbox-start';

const [, , dir = '', root = ''] = process.argv;
const AGENT = `
const { spawn } = require('node:child_process');
let started = 0;
for (let i = 0; i < 300; i += 1) {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  child.on('error', () => {});
  if (child.pid !== undefined) started += 1;
}
console.log(started);
// Both run at once.
process.stdin.on('data', () => process.exit(0));
`;
const LIMIT = 64;

const host = await openSandboxHost(dir, process.env.PATH ?? '', LIMIT);
const { program, maxProcesses } = host;
if (program === null) throw new Error('This machine can’t confine agents.');
const script = path.join(dir, 'agent.cjs');
writeFileSync(script, AGENT);

async function startAgent(name: string) {
  const keyDir = path.join(dir, name);
  mkdirSync(keyDir);
  const entry = path.join(root, 'dist', 'sandbox-entry.mjs');
  const mounts = [
    ...hostMounts([]),
    ...[process.execPath, script, entry].map((file) => readOnly(file)),
  ];
  const env = { PATH: process.env.PATH ?? '' };
  const sandbox = { mounts, env, cwd: '/', processList: 'own' } as const;
  let said = (_line: string) => {};
  const started = new Promise<string>((resolve) => {
    said = resolve;
  });
  const command = {
    ...{ file: process.execPath, args: [script], env: {}, files: [], stdin: '' },
    stdinStaysOpen: true,
  };
  const running = await startProcess(command, {
    ...{ workDir: dir, keyDir, cgroupDirs: [] },
    sandbox: sandboxStart(program?.file ?? '', root, sandbox, maxProcesses, () => {}),
    onLine: (line) => said(line),
    onStderr: (chunk) => process.stderr.write(chunk),
  });
  if (!running.ok) throw new Error(running.error.message);
  return { count: Number(await started), end: () => running.process.writeLine('end') };
}

const agents = await Promise.all([startAgent('one'), startAgent('two')]);
for (const agent of agents) agent.end();
process.stdout.write(JSON.stringify({ maxProcesses, started: agents.map(({ count }) => count) }));
process.exit(0);
