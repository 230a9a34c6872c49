/** A disk that takes nothing more, before the agent starts and while it works. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getGlobalDispatcher } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type AgentSocket, openAgentSocket } from '@/workers/runner/agent-socket/server';
import { attemptPaths } from '@/workers/runner/attempt/host-layout';
import { runAttempt } from '@/workers/runner/attempt/run-attempt';
import { createControlPlane } from '@/workers/runner/control-plane/client';
import { type AttemptSpool, openAttemptSpool } from '@/workers/runner/spool/attempt-spool';
import { openEventFile } from '@/workers/runner/spool/event-file';
import { startUploader } from '@/workers/runner/spool/uploader';
import { agentScript } from '../../support/fake-control-plane/agent-script';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import {
  type FakeControlPlane,
  RUNNER_KEY,
  startFakeControlPlane,
} from '../../support/fake-control-plane/fake-control-plane';
import { root } from '../../support/fake-control-plane/runner-host';

let dir = '';
let plane: FakeControlPlane;
let socket: AgentSocket;

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tw-full-'));
  plane = await startFakeControlPlane();
  socket = await openAgentSocket(dir);
});

afterEach(async () => {
  await plane.close();
  socket.close();
  rmSync(dir, { recursive: true, force: true });
});

function spoolFor(spec: AttemptSpec, openFile = openEventFile): AttemptSpool {
  const { configDir, attemptDir } = attemptPaths(dir, spec);
  const record = {
    attemptId: spec.attemptId,
    fence: 1,
    label: spec.label,
    claimedAt: new Date().toISOString(),
    marker: spec.attemptId,
    cgroupDir: null,
    cliSessionId: spec.start.cliSessionId,
    configDir,
    attemptDir,
    privateConfigDir: null,
    workDir: null,
    writesHandoffFile: false,
    copyFile: null,
    bootId: null,
  };
  return openAttemptSpool({ folder: dir, record, openFile });
}

/** Runs the attempt and delivers what its spool holds. */
async function runAndDeliver(spec: AttemptSpec, spool: AttemptSpool, agent: string) {
  plane.queue(spec);
  const controlPlane = createControlPlane({ url: plane.url, key: RUNNER_KEY });
  const uploader = startUploader({
    controlPlane,
    refusedDir: path.join(dir, 'refused'),
    onDirectives: () => {},
    onDelivered: () => {},
    onSettled: () => {},
    keepSlot: () => null,
    onClaimed: () => {},
    onNext: () => {},
  });
  uploader.add(spool);
  const file = await agentScript(dir, agent);
  await runAttempt({
    spec,
    spool,
    paths: attemptPaths(dir, spec),
    isAlone: () => true,
    cgroup: null,
    harness: AGENTS.claude,
    agent: async () => ({
      binary: { file, args: [] },
      passThrough: {},
      apiKey: null,
      account: null,
      provider: { kind: 'none' as const },
      obstacle: null,
      version: '2.1.197',
      fingerprint: null,
      canResume: false,
      startError: null,
    }),
    restore: async () => null,
    runner: {
      ...{ dir, root, socket, hidden: [], passEnv: [], checkCommands: null },
      sandboxHost: {
        confinement: { state: 'none', cause: 'not_installed', detail: null },
        program: null,
        maxProcesses: null,
      },
      dispatcher: getGlobalDispatcher(),
      digestKey: Buffer.alloc(32),
    },
    isLeaseValid: () => true,
    authorizeCommand: async () => ({ verdict: 'allowed' }),
    secrets: [],
    recall: async () => [],
    onAdded: uploader.wake,
    onAgentResult: () => {},
  }).ended;
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.results.length > 0, 'the result');
  await uploader.close();
  await controlPlane.close();
  return attempt;
}

it('a disk that is full from the beginning starts no agent', async () => {
  const spec = attemptSpec();
  // Every write to it fails as on a disk without room.
  symlinkSync('/dev/full', path.join(dir, 'events.ndjson'));
  const attempt = await runAndDeliver(spec, spoolFor(spec), 'result();');
  expect(attempt.results).toMatchObject([{ stopCause: 'disk_full', startedAt: null, exit: null }]);
  expect(attempt.events()).toMatchObject([{ kind: 'command' }]);
});

it('a disk that runs full ends the agent, and what it still says is kept in memory and sent', async () => {
  const spec = attemptSpec();
  let writes = 0;
  const spool = spoolFor(spec, (name) => {
    const file = openEventFile(name);
    function append(line: string): void {
      writes += 1;
      if (writes > 4) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      file.append(line);
    }
    return { ...file, append };
  });
  const agent = `process.on('SIGINT', () => { result({ total_cost_usd: 0.11 }); process.exit(0); });
    init(); text('one'); text('two'); text('three'); forever();`;
  const attempt = await runAndDeliver(spec, spool, agent);
  expect(attempt.results).toMatchObject([{ stopCause: 'disk_full', exit: { code: 0 } }]);
  expect(attempt.events().map((event) => event.kind)).toEqual([
    'command',
    'process',
    'init',
    'text',
    'text',
    'text',
    'result',
    'process',
  ]);
  expect(attempt.conflicts).toEqual([]);
});
