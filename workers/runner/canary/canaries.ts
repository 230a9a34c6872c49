/** Which agents of this host have proven, as they are now, that they refuse what no rule allows. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Agent } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import type { Canary, CanaryMode } from '@/lib/protocol/canary';
import { RUNNER_VERSION } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
import type { AgentHost, Agents } from '../attempt/agents';
import { readJson, writeWhole } from '../files';
import type { SandboxHost } from '../sandbox/sandbox-host';
import { createWaker } from '../waker';
import type { CanaryOptions } from './run-canary';

export interface Canaries {
  /** One for each way in which the agent can start here; none for an agent that can't. */
  of(name: HarnessName): Canary[];
  /** Runs what has not been proven yet. Cheap where everything has. */
  refresh(): Promise<void>;
  /** Resolves when another one has passed or failed. */
  changed(): Promise<void>;
  /** Ends the one that runs, which counts as not having run, and starts none after it. */
  close(): Promise<void>;
}

interface CanariesOptions extends Pick<CanaryOptions, 'root' | 'passEnv'> {
  /** The runner's own folder. */
  dir: string;
  harnesses: Record<HarnessName, Agent>;
  agents: Pick<Agents, 'get'>;
  sandboxHost: Pick<SandboxHost, 'confinement' | 'program' | 'maxProcesses'>;
  run: (options: CanaryOptions) => Promise<string | null>;
  now?: () => number;
}

/** Another try after a failure: a busy host may have failed, and not its agent. */
const RETRY_MS = 300_000;
const MAX_KEPT = 50;
const keptSchema = z.array(z.string());

export function createCanaries(options: CanariesOptions): Canaries {
  const { dir, harnesses, agents, sandboxHost, run, now = Date.now } = options;
  const file = path.join(dir, 'canaries.json');
  /** Keys of what has passed, also in earlier processes of this runner. */
  const passed = new Set(keptSchema.safeParse(readJson(file)).data);
  const failed = new Map<string, { detail: string; at: number }>();
  let running: Promise<void> | null = null;
  const changes = createWaker();
  const closing = new AbortController();
  const { signal } = closing;

  function modesOf(host: AgentHost): CanaryMode[] {
    const canConfine = sandboxHost.program !== null && host.provider.kind === 'forwarded';
    return canConfine ? ['confined', 'open'] : ['open'];
  }

  /** Null while nothing is known of the program. */
  function keyOf({ name }: Agent, host: AgentHost, mode: CanaryMode): string | null {
    if (host.startError !== null || host.fingerprint === null) return null;
    const place = mode === 'confined' ? sandboxHost.confinement.state : 'open';
    const facts = [name, host.fingerprint, RUNNER_VERSION, place];
    return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
  }

  async function runDue(): Promise<void> {
    for (const harness of Object.values(harnesses)) {
      const host = agents.get(harness.name);
      if (!harness.canBeProven) continue;
      for (const mode of modesOf(host)) {
        if (signal.aborted) return;
        const key = keyOf(harness, host, mode);
        if (key === null || passed.has(key)) continue;
        const last = failed.get(key);
        if (last && now() - last.at < RETRY_MS) continue;
        await prove(harness, host, mode, key);
      }
    }
  }

  async function prove(
    harness: Agent,
    host: AgentHost,
    mode: CanaryMode,
    key: string,
  ): Promise<void> {
    const about = { agent: harness.label, version: host.version, mode };
    const detail = await run({ ...options, harness, host, mode, signal, runnerDir: dir }).catch(
      (error: unknown) => `It couldn’t be run: ${String(error)}`,
    );
    if (signal.aborted) return;
    if (detail === null) {
      failed.delete(key);
      passed.add(key);
      keep(file, [...passed].slice(-MAX_KEPT));
      logger.info(about, 'canary passed');
    } else {
      failed.set(key, { detail, at: now() });
      logger.error({ ...about, detail }, 'canary failed: tiers above 1 don’t start here');
    }
    changes.wake();
  }

  return {
    of(name) {
      const harness = harnesses[name];
      const host = agents.get(name);
      if (!harness.canBeProven) return [];
      return modesOf(host).flatMap((mode): Canary[] => {
        const key = keyOf(harness, host, mode);
        if (key === null) return [];
        if (passed.has(key)) return [{ mode, state: 'passed', detail: null }];
        const detail = failed.get(key)?.detail;
        return detail === undefined
          ? [{ mode, state: 'pending', detail: null }]
          : [{ mode, state: 'failed', detail }];
      });
    },
    changed: () => changes.woken(),
    refresh() {
      running ??= runDue().finally(() => {
        running = null;
      });
      return running;
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** What can't be kept is proven again by the next process. */
function keep(file: string, keys: readonly string[]): void {
  try {
    writeWhole(file, JSON.stringify(keys));
  } catch (error) {
    logger.warn({ error: String(error) }, 'canary not kept');
  }
}
