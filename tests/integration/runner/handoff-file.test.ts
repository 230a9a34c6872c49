import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { HandoffFile } from '@/lib/protocol/schema';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

const FILE = `const file = path.join(process.env.CLAUDEOPS_STATE_DIR, 'handoff.json');`;
const expectsFile = { start: { writesHandoffFile: true, tools: ['Bash', 'Read'] } };

it.each<[string, string, HandoffFile | object]>([
  [
    '[HND-2.1] is read after a clean end',
    `fs.writeFileSync(file, '{"a":1}'); init(); result();`,
    { state: 'read', content: '{"a":1}' },
  ],
  ['that is not there is absent', 'init(); result();', { state: 'absent' }],
  [
    'that is a directory is not read',
    'fs.mkdirSync(file); init(); result();',
    { state: 'unreadable', error: 'handoff.json is a directory.' },
  ],
  [
    'of 50 MB is not read',
    `fs.writeFileSync(file, Buffer.alloc(50_000_000)); init(); result();`,
    { state: 'unreadable', error: expect.stringContaining('50000000 bytes') },
  ],
  [
    'that links elsewhere is not read',
    `fs.symlinkSync('/etc/hostname', file); init(); result();`,
    { state: 'unreadable', error: 'handoff.json is a symbolic link.' },
  ],
  [
    'that is a second name of another file is not read',
    `fs.writeFileSync('own', 'x'); fs.linkSync('own', file); init(); result();`,
    { state: 'unreadable', error: 'handoff.json is a hard link to another file.' },
  ],
  [
    'that is a pipe is not read',
    `require('node:child_process').execFileSync('mkfifo', [file]); init(); result();`,
    { state: 'unreadable', error: 'handoff.json is not a regular file.' },
  ],
  [
    '[HND-2.1] is not read after an error',
    `fs.writeFileSync(file, '{}'); init(); result({ is_error: true });`,
    { state: 'deleted_unread', why: "The agent's result is an error (success)." },
  ],
  [
    '[HND-2.1] is not read after exit 1',
    `fs.writeFileSync(file, '{}'); init(); result(); process.exit(1);`,
    { state: 'deleted_unread', why: 'The agent did not exit with code 0.' },
  ],
  [
    '[HND-2.1] is not read without a result',
    `fs.writeFileSync(file, '{}'); init();`,
    { state: 'deleted_unread', why: 'The agent ended without a result.' },
  ],
])('a handoff file %s', async (_name, agent, expected) => {
  host = await startRunnerHost({ agent: FILE + agent });
  const attempt = await host.run(expectsFile);
  expect(attempt.results[0]?.handoffFile).toEqual(expected);
});

it('[HND-2.1] a handoff file of a stopped attempt is not read', async () => {
  host = await startRunnerHost({
    agent: `${FILE} fs.writeFileSync(file, '{}'); init(); process.on('SIGINT', () => { result(); process.exit(0); }); text('working'); forever();`,
  });
  const spec = attemptSpec(expectsFile);
  host.plane.queue(spec);
  const attempt = host.plane.attempt(spec.attemptId);
  await host.plane.until(() => attempt.ackedSeq >= 4, 'the agent');
  host.plane.direct({ kind: 'stop', attemptId: spec.attemptId, reason: 'operator' });
  await host.plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.results[0]).toMatchObject({
    exit: { code: 0 },
    handoffFile: { state: 'deleted_unread', why: 'The attempt was stopped (operator).' },
  });
});

it('[HND-1.4] the state folder is named to the agent, and private to one attempt', async () => {
  host = await startRunnerHost({
    agent: `${FILE} init(); text(process.env.CLAUDEOPS_STATE_DIR + ' ' + fs.readdirSync(process.env.CLAUDEOPS_STATE_DIR).length + ' ' + (fs.statSync(process.env.CLAUDEOPS_STATE_DIR).mode & 0o777).toString(8)); fs.writeFileSync(file, '{}'); result();`,
  });
  const project = { organizationId: 'org_a', projectId: 'prj_a' };
  const said = [];
  for (const _ of [1, 2]) {
    const attempt = await host.run({ ...project, ...expectsFile });
    const text = attempt.events().find((event) => event.kind === 'text');
    said.push(text?.text.split(' ') ?? []);
  }
  expect(said.map(([, files, mode]) => [files, mode])).toEqual([
    ['0', '700'],
    ['0', '700'],
  ]);
  expect(said[0]?.[0]).not.toBe(said[1]?.[0]);
});

it('[HND-2.2] a stale file that a crash has left never counts', async () => {
  host = await startRunnerHost({ agent: 'init(); result();' });
  const spec = attemptSpec(expectsFile);
  const stateDir = path.join(host.runnerDir, 'attempts', spec.attemptId, 'state');
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(path.join(stateDir, 'handoff.json'), '{"stale":true}');
  host.plane.queue(spec);
  const attempt = host.plane.attempt(spec.attemptId);
  await host.plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.results[0]?.handoffFile).toEqual({ state: 'absent' });
});
