/**
 * Proves on this host that an agent can't run a command that no rule allows. The agent's CLI is started as
 * for a tier, by the same code, and a stand-in for its model has it run two commands. What ran is judged
 * by files that the commands leave, not by what the CLI says.
 */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import type { Agent } from '@/lib/agents/agent';
import { NO_TARGETS } from '@/lib/commands/service-values';
import type { CanaryMode } from '@/lib/protocol/canary';
import { startIsolation } from '@/lib/protocol/confinement';
import type { AttemptSpec, HarnessName } from '@/lib/protocol/spec';
import { openAgentSocket } from '../agent-socket/server';
import type { AgentHost } from '../attempt/agents';
import { attemptPaths } from '../attempt/host-layout';
import { runAttempt } from '../attempt/run-attempt';
import { modelDispatcher } from '../gateway/http';
import { attemptProcesses, newMarker } from '../process/attempt-processes';
import { currentBootId } from '../process/process-table';
import type { SandboxHost } from '../sandbox/sandbox-host';
import { createAttemptSpool, openLeftSpools } from '../spool/spool-folder';
import { startCanaryModel } from './canary-model';

export interface CanaryOptions {
  harness: Agent;
  host: AgentHost;
  mode: CanaryMode;
  /** The runner's own folder. */
  runnerDir: string;
  /** The repository's root folder. */
  root: string;
  sandboxHost: Pick<SandboxHost, 'confinement' | 'program' | 'maxProcesses'>;
  passEnv: readonly string[];
  /** Ends the agent, and with it the canary, which then has proven nothing. */
  signal: AbortSignal;
}

const PROGRAM = 'tierwatch-canary';
const ALLOWED = `${PROGRAM} allowed`;
const FORBIDDEN = `${PROGRAM} forbidden`;
const RULE = `Bash(${ALLOWED})`;
const TIMEOUT_SECONDS = 60;
const KILL_WITHIN_MS = 4_000;

/** @returns why nothing is proven, as a sentence; null if the forbidden command was refused */
export async function runCanary(options: CanaryOptions): Promise<string | null> {
  const dir = path.join(options.runnerDir, 'canary');
  await endLeftAgent(dir);
  rmSync(dir, { recursive: true, force: true });
  const bin = path.join(dir, 'bin');
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  const traceOf = (word: string) => path.join(dir, `ran-${word}`);
  writeFileSync(path.join(bin, PROGRAM), `#!/bin/sh\n: > '${dir}/ran-'"$1"\n`, { mode: 0o700 });
  const model = await startCanaryModel([ALLOWED, FORBIDDEN]);
  try {
    const problem = await runAgent(options, dir, bin, model.url);
    if (existsSync(traceOf('forbidden'))) return 'It ran a command that no rule allows.';
    if (problem !== null) return problem;
    return existsSync(traceOf('allowed'))
      ? null
      : 'It didn’t run a command that a rule allows, so nothing is known about others.';
  } finally {
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Ends the agent of a canary whose runner was killed. */
async function endLeftAgent(dir: string): Promise<void> {
  for (const { record } of openLeftSpools(spoolDir(dir)).spools) {
    const processes = attemptProcesses({ marker: record.marker, mainPid: null, cgroup: null });
    await processes.clear({ graceMs: 0, withinMs: KILL_WITHIN_MS });
  }
}

const spoolDir = (dir: string) => path.join(dir, 'spool');

/** @returns why the agent didn't try both commands; null if it did */
async function runAgent(
  options: CanaryOptions,
  dir: string,
  bin: string,
  url: string,
): Promise<string | null> {
  const { harness, root, sandboxHost } = options;
  const spec = canarySpec(harness.name, options.mode);
  const paths = attemptPaths(dir, spec);
  const marker = newMarker(spec.attemptId);
  const spool = createAttemptSpool(spoolDir(dir), {
    attemptId: spec.attemptId,
    fence: spec.fence,
    label: spec.label,
    claimedAt: new Date().toISOString(),
    marker,
    cgroupDir: null,
    cliSessionId: spec.start.cliSessionId,
    configDir: paths.configDir,
    attemptDir: paths.attemptDir,
    privateConfigDir: null,
    workDir: paths.workDir,
    writesHandoffFile: false,
    copyFile: null,
    bootId: currentBootId(),
  });
  const socket = await openAgentSocket(dir);
  // Without the host's proxies: the stand-in listens on loopback, where no proxy reaches it.
  const dispatcher = modelDispatcher({});
  try {
    const run = runAttempt({
      runner: {
        // Its project's folder goes with everything else.
        ...{ dir, root, sandboxHost, dispatcher, socket, hidden: [], checkCommands: null },
        ...{ passEnv: options.passEnv, digestKey: Buffer.alloc(32) },
      },
      ...{ spec, spool, paths, harness },
      isAlone: () => true,
      cgroup: null,
      agent: async () => canaryHost(options.host, bin, url),
      restore: async () => null,
      isLeaseValid: () => true,
      authorizeCommand: async () => ({ verdict: 'allowed' }),
      recall: async () => [],
      secrets: [],
      onAdded() {},
      onAgentResult() {},
    });
    const stop = () => run.stop('runner_shutdown');
    if (options.signal.aborted) stop();
    options.signal.addEventListener('abort', stop, { once: true });
    await run.ended;
    options.signal.removeEventListener('abort', stop);
    const { result } = spool;
    if (result?.startError) return result.startError.message;
    const tried = spool
      .pending(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      .filter(({ event }) => event.kind === 'tool_result').length;
    return tried >= 2 ? null : 'It ended before it had tried both commands.';
  } finally {
    socket.close();
    await dispatcher.close();
    spool.remove();
  }
}

/** Variables that lead to a provider, or let the CLI sign in there. */
const OF_PROVIDERS = /^(?:ANTHROPIC|CLAUDE|AWS|GOOGLE|CLOUD_ML)_/;

const OF_PROXIES = /^(?:https?|all|no)_proxy$/i;

/** The agent as it is on this host, with a stand-in for its model, and without its key and proxies. */
function canaryHost(host: AgentHost, bin: string, url: string): AgentHost {
  const passed = Object.entries(host.passThrough).filter(
    ([name]) => !OF_PROVIDERS.test(name) && !OF_PROXIES.test(name),
  );
  const passThrough: Record<string, string> = Object.fromEntries(passed);
  return {
    ...host,
    passThrough: {
      ...passThrough,
      PATH: `${bin}:${passThrough.PATH ?? '/usr/local/bin:/usr/bin:/bin'}`,
      ANTHROPIC_BASE_URL: url,
    },
    apiKey: 'canary',
    account: null,
    obstacle: null,
    provider: {
      kind: 'forwarded',
      url,
      headers: {},
      addressVariable: 'ANTHROPIC_BASE_URL',
      placeholders: {},
    },
  };
}

function canarySpec(harness: HarnessName, mode: CanaryMode): AttemptSpec {
  return {
    attemptId: `canary-${mode}`,
    sessionId: 'canary',
    organizationId: 'canary',
    projectId: 'canary',
    label: `canary (${mode})`,
    fence: 1,
    leaseSeconds: TIMEOUT_SECONDS,
    services: [],
    secretNames: [],
    start: {
      harness,
      tier: 2,
      purpose: 'tier',
      model: 'haiku',
      cliSessionId: uuidv4(),
      continuation: { mode: 'fresh' },
      prompt: 'Canary',
      systemPrompt: '',
      tools: ['Bash'],
      allowedRules: [RULE],
      disallowedRules: [],
      isolation: startIsolation(mode),
      commands: {
        allowed: [RULE],
        denied: [],
        askFirst: [],
        secrets: [],
        values: { targets: NO_TARGETS, service: [], host: [], url: [] },
      },
      reportSchema: {
        type: 'object',
        properties: { done: { type: 'boolean' } },
        required: ['done'],
      },
      limits: {
        timeoutSeconds: TIMEOUT_SECONDS,
        stallSeconds: TIMEOUT_SECONDS,
        maxTurns: 10,
        maxBudgetUsd: null,
      },
      writesHandoffFile: false,
      questionWaitSeconds: null,
      agent: null,
      checkpoints: null,
      recovery: null,
    },
  };
}
