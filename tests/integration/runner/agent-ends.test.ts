/** Every way in which an agent can end, as the runner reports it. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tw-agents-'));
});
afterEach(async () => {
  await host.close();
  await rm(dir, { recursive: true, force: true });
});

async function endOf(agent: string) {
  host = await startRunnerHost({ agent });
  const attempt = await host.run();
  return { result: attempt.results[0], events: attempt.events() };
}

it.each<[string, string, Partial<AttemptResult>]>([
  ['exit 0 with nothing', '', { exit: { code: 0, signal: null } }],
  ['exit 1 with nothing', 'process.exit(1)', { exit: { code: 1, signal: null } }],
  [
    'exit 1 with a reason',
    `console.error('No conversation found with session ID: x'); process.exit(1)`,
    {
      exit: { code: 1, signal: null },
      stderrTail: 'No conversation found with session ID: x\n',
    },
  ],
  [
    'a signal',
    `process.kill(process.pid, 'SIGSEGV'); forever()`,
    { exit: { code: null, signal: 'SIGSEGV' } },
  ],
])('[SAS-3.1] %s is reported as it was', async (_name, agent, expected) => {
  const { result } = await endOf(agent);
  expect(result).toMatchObject({ startError: null, stopCause: null, ...expected });
});

it('reads both results of a process that prints two, up to its end', async () => {
  const { events } = await endOf(
    `init(); result({ result: 'first' }); init(); text('more'); result({ result: 'second' });`,
  );
  const results = events.filter((event) => event.kind === 'result');
  expect(results.map((event) => event.text)).toEqual(['first', 'second']);
});

it('keeps garbage as what it is, and keeps reading', async () => {
  const { events, result } = await endOf(
    `console.log('not json'); console.log('{"type":"nonsense"}'); fs.writeSync(1, Buffer.from([0xff, 0xfe, 10])); init(); result();`,
  );
  const reasons = events.flatMap((event) => (event.kind === 'unparsed' ? [event.reason] : []));
  expect(reasons).toEqual(['not_json', 'unknown_type', 'not_json']);
  expect(events.some((event) => event.kind === 'result')).toBe(true);
  expect(result).toMatchObject({ exit: { code: 0 } });
});

it('survives a line of 20 MB, says how long it was, and reads what follows', async () => {
  const { events } = await endOf(
    `init(); process.stdout.write('x'.repeat(20_000_000) + '\\n', () => result({ result: 'after' }));`,
  );
  const cut = events.find((event) => event.kind === 'unparsed');
  expect(cut).toMatchObject({ reason: 'too_long', bytes: 20_000_000 });
  expect(events.find((event) => event.kind === 'result')).toMatchObject({ text: 'after' });
});

it.each<[string, (dir: string) => Promise<string>, string]>([
  ['is missing', async (dir) => path.join(dir, 'nowhere'), 'missing'],
  ['is not on the PATH', async () => 'no-such-agent-program', 'missing'],
  ['is not executable', (dir) => file(dir, '#!/bin/sh\n', 0o644), 'not_executable'],
  ['is another program', (dir) => file(dir, '#!/bin/sh\necho hello\n', 0o755), 'version'],
  ['is a folder', async (dir) => dir, 'not_executable'],
])('names what is wrong when the program %s', async (_name, make, code) => {
  host = await startRunnerHost({ claudeBin: await make(dir) });
  const attempt = await host.run();
  expect(attempt.results[0]).toMatchObject({
    startError: { code },
    startedAt: null,
    exit: null,
    leftoversKilled: 0,
  });
  expect(attempt.events()).toMatchObject([{ kind: 'command' }]);
  const capabilities = host.plane.heartbeats[0]?.capabilities.harnesses.find(
    ({ name }) => name === 'claude',
  );
  expect(capabilities).toMatchObject({ isUsable: false, problem: expect.stringMatching(/.+/) });
});

async function file(dir: string, content: string, mode: number): Promise<string> {
  const name = path.join(dir, `agent-${mode}`);
  await writeFile(name, content);
  await chmod(name, mode);
  return name;
}

it('refuses an argument that is longer than the system takes', async () => {
  host = await startRunnerHost({});
  const attempt = await host.run({ start: { tools: ['x'.repeat(200_000)] } });
  expect(attempt.results[0]?.startError).toMatchObject({ code: 'argument_list' });
});

it('[SAS-3.1] runs two attempts at once', async () => {
  host = await startRunnerHost({
    env: { TIERWATCH_RUNNER_CONCURRENCY: '2' },
    // Each waits for the other before it ends: one after the other would never end.
    agent: `init(); const here = path.join(process.env.HOME, '..', '..', '..');
      fs.writeFileSync(path.join(here, flag('--session-id')), '');
      const look = setInterval(() => {
        if (fs.readdirSync(here).filter((name) => name.length === 36 && fs.statSync(path.join(here, name)).isFile()).length < 2) return;
        clearInterval(look); result();
      }, 20);`,
  });
  const organizationId = 'org_shared';
  const [one, two] = await Promise.all([
    host.run({ organizationId }),
    host.run({ organizationId }),
  ]);
  expect(one.results[0]).toMatchObject({ exit: { code: 0 }, stopCause: null });
  expect(two.results[0]).toMatchObject({ exit: { code: 0 }, stopCause: null });
});

it('[SAS-3.1] claims no more than it has slots for', async () => {
  host = await startRunnerHost({
    env: { TIERWATCH_RUNNER_CONCURRENCY: '1' },
    agent: `init(); process.on('SIGINT', () => process.exit(0)); forever();`,
  });
  const [first, second] = [attemptSpec(), attemptSpec()];
  host.plane.queue(first);
  host.plane.queue(second);
  const isClaimed = ({ attemptId }: AttemptSpec) => host.plane.attempt(attemptId).isClaimed;
  await host.plane.until(() => host.plane.attempt(first.attemptId).ackedSeq > 2, 'the first');
  expect(isClaimed(second)).toBe(false);
  host.plane.direct({ kind: 'stop', attemptId: first.attemptId, reason: 'operator' });
  await host.plane.until(() => isClaimed(second), 'the claim of the second');
  expect(host.plane.attempt(first.attemptId).ackedSeq).toBeGreaterThan(3);
});
