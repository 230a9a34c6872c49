#!/usr/bin/env node
// @ts-check
/**
 * The program of the third agent CLI: no JSON on its stdout, flags and exit codes of its own. It
 * prints tab-separated lines and remembers a conversation as `nest/<id>.song` below PARROT_HOME.
 *
 *     hello  <conversation> <version> <model> <window> <tools, with commas>
 *     spent  <request> <input> <output>
 *     does   <call> <command> <tool>     did  <call> <exit code> <output>
 *     says   <text as JSON>              bye  <cents or -> <report as JSON> [why it broke off; ruffled: in a call]
 *
 * Exit codes: 0 bye, 66 no such song, 75 the provider is busy.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const VERSION = '7.4.1';
/** @param {string} name */
const flag = (name) => process.argv[process.argv.indexOf(name) + 1] ?? '';
/** @param {(string | number)[]} words */
const print = (...words) => process.stdout.write(`${words.join('\t')}\n`);
/** @param {string} id */
const song = (id) => path.join(process.env.PARROT_HOME ?? '.', 'nest', `${id}.song`);

if (process.argv.includes('--version')) {
  process.stdout.write(`Parrot CLI (build ${VERSION}, feathers on)\n`);
  process.exit(0);
}
if (process.argv.includes('--help')) {
  process.stdout.write('  --perch N  --as ID  --carry-on ID  --voice MODEL\n');
  process.exit(0);
}

const prompt = readFileSync(0, 'utf8');
if (prompt.includes('the provider is busy')) {
  process.stderr.write('squawk: come back later\n');
  process.exit(75);
}
const parent = process.argv.includes('--carry-on') ? flag('--carry-on') : null;
if (parent !== null && (prompt.includes('forget the song') || !existsSync(song(parent)))) {
  process.stderr.write('squawk: never heard that song\n');
  process.exit(66);
}
const remembered = parent === null ? '' : readFileSync(song(parent), 'utf8');
const perch = Number(flag('--perch'));
print('hello', flag('--as'), VERSION, flag('--voice'), 50_000, 'shell,look');
print('spent', `${flag('--as')}-1`, 2_000 + remembered.length, 300);
const command = 'echo polly';
print('does', 'call-1', command, 'shell');
const ran = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
print('did', 'call-1', ran.status ?? 1, JSON.stringify(ran.stdout));
print('says', JSON.stringify(`I remember: ${remembered.trim() || 'nothing'}`));

mkdirSync(path.dirname(song(flag('--as'))), { recursive: true });
writeFileSync(song(flag('--as')), `${remembered}perch ${perch} sang\n`);

const isFirst = perch === 1;
const report = {
  summary: isFirst ? 'web is down.' : 'web answers again.',
  services_checked: [],
  findings: [],
  escalation: {
    wanted: isFirst,
    reason: isFirst ? 'web refuses connections' : '',
    services: isFirst ? ['web'] : [],
  },
  actions_taken: [],
  ...(isFirst ? {} : { resolved: true }),
};
print('does', 'call-2', '', 'recite');
// On the first perch it forgets what that cost.
print('bye', isFirst ? '-' : 7, JSON.stringify(report));
