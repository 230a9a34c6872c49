/**
 * `npm run bench`: measures what the design promises and stores it in docs/bench.md. Small by default;
 * `npm run bench -- --full` runs the whole table.
 *
 * Each file of tests/bench/ is a program: it measures one thing and prints, as its last line, one JSON
 * object { "title": string, "target": string, "figures": { "<name>": "<value with unit>" } }.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runNode } from './bootstrap/command.mjs';
import { checkout } from './bootstrap/folders.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { hasOption, runMain } from './bootstrap/problem.mjs';

const FOLDER = 'tests/bench';

function describeMachine() {
  const [cpu] = os.cpus();
  const memoryGb = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${memoryGb} GB, ${os.type()} ${os.arch()}, Node ${process.versions.node}`;
}

function toMarkdown(results, isFull) {
  const rows = results.flatMap(({ title, target, figures, load }) =>
    Object.entries(figures).map(
      ([name, value]) => `| ${title} | ${name} | ${value} | ${target} | ${load} |`,
    ),
  );
  return [
    '# Measurements',
    '',
    `Made by \`npm run bench${isFull ? ' -- --full' : ''}\` on ${new Date().toISOString().slice(0, 10)}: ${describeMachine()}.`,
    '',
    'Load is the average number of runnable processes in the minute before each measurement. Above the number of',
    'cores, other processes shared the machine, and times are longer than on a dedicated one.',
    '',
    '| what | figure | measured | target | load |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

async function measure(file, isFull) {
  const args = ['--import', 'tsx', path.join(FOLDER, file), ...(isFull ? ['--full'] : [])];
  const [load = 0] = os.loadavg();
  const printed = await runNode(args, { what: `${FOLDER}/${file}` });
  const lines = printed.split('\n');
  const result = JSON.parse(lines.findLast((line) => line.startsWith('{"title"')) ?? '{}');
  process.stdout.write(`${result.title}\n`);
  for (const [name, value] of Object.entries(result.figures)) {
    process.stdout.write(`  ${name}: ${value}\n`);
  }
  return { ...result, load: load.toFixed(1) };
}

await runMain(async () => {
  const isFull = hasOption(
    process.argv.slice(2),
    '--full',
    'npm run bench measures the small table, and npm run bench -- --full the whole one.',
  );
  requireNode();
  await ensureInstalled();
  const { ensureClient } = await import('./bootstrap/prisma.mjs');
  const { ensureBuilt } = await import('./bootstrap/build.mjs');
  const { ensurePrograms } = await import('./bootstrap/programs.mjs');
  await ensureClient();
  await ensurePrograms();
  await ensureBuilt();
  const results = [];
  // One after another: two at once would measure each other.
  const files = readdirSync(path.join(checkout, FOLDER)).filter((name) =>
    name.endsWith('.bench.ts'),
  );
  for (const file of files.sort()) results.push(await measure(file, isFull));
  writeFileSync(path.join(checkout, 'docs', 'bench.md'), toMarkdown(results, isFull));
  process.stdout.write('Stored in docs/bench.md.\n');
});
