/** A host folder with a runner in this process, for one test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent } from '@/lib/agents/agent';
import { AGENTS } from '@/lib/agents/registry';
import { parseRunnerEnv } from '@/workers/runner/env';
import { type Runner, startRunner } from '@/workers/runner/runner';
import { agentScript } from './agent-script';
import { attemptSpec, type SpecChanges } from './attempt-spec';
import type { StoredAttempt } from './attempt-store';
import { type FakeControlPlane, RUNNER_KEY, startFakeControlPlane } from './fake-control-plane';
import { heldSource } from './held-source';

export const root = path.resolve(import.meta.dirname, '../../..');

export interface RunnerHost {
  plane: FakeControlPlane;
  dir: string;
  /** The runner's own folder. */
  runnerDir: string;
  runner: Runner;
  /** Queues an attempt and waits until its result was taken. */
  run(changes?: SpecChanges, withinMs?: number): Promise<StoredAttempt>;
  close(): Promise<void>;
}

export async function startRunnerHost(options: {
  /** Program of the agent, as JavaScript; or `claudeBin` for another one. */
  agent?: string;
  claudeBin?: string;
  env?: Record<string, string>;
  /** In the place of the one for Claude Code. */
  harness?: Agent;
}): Promise<RunnerHost> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tw-runner-'));
  const plane = await startFakeControlPlane();
  const runnerDir = path.join(dir, 'runner');
  const claudeBin = options.claudeBin ?? (await agentScript(dir, options.agent ?? 'result();'));
  const env = parseRunnerEnv({
    PATH: process.env.PATH,
    TIERWATCH_URL: plane.url,
    TIERWATCH_RUNNER_DIR: runnerDir,
    TIERWATCH_RUNNER_GRACE_SECONDS: '0',
    CLAUDE_BIN: claudeBin,
    ...options.env,
  });
  const runner = await startRunner({
    env,
    key: RUNNER_KEY,
    root,
    harnesses: { ...AGENTS, claude: options.harness ?? AGENTS.claude },
    canary: async () => null,
    openSource: () => heldSource(plane.url),
  });
  return {
    plane,
    dir,
    runnerDir,
    runner,
    async run(changes, withinMs) {
      const spec = attemptSpec(changes);
      plane.queue(spec);
      await plane.until(
        () => plane.attempt(spec.attemptId).results.length > 0,
        'a result',
        withinMs,
      );
      return plane.attempt(spec.attemptId);
    },
    async close() {
      await runner.stop();
      await plane.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
