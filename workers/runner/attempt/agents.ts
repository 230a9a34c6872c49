/** The agents this host offers, looked at again when their programs change. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { HostLayout } from '@/lib/agents/agent';
import { demoBinary } from '@/lib/agents/demo/binary';
import { type HarnessName, harnessNameSchema } from '@/lib/protocol/spec';
import type { RunnerEnv } from '../env';
import type { AgentHost, ProbedAgent } from './agent-host';
import { passThrough } from './pass-through';
import { probeAgent, programStamp, resolveProgram } from './probe-agent';

/** What decides which account of the provider is billed, and by which route it is reached. */
const ACCOUNT_VARIABLES = [
  ...['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  ...['CLAUDE_CODE_USE_BEDROCK', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID'],
  ...['CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_PROJECT_ID'],
];

/** A hash, so that the control plane can compare accounts without learning a key. */
function accountOf(allowed: Record<string, string>, apiKey: string | null): string | null {
  const values = ACCOUNT_VARIABLES.map((name) => allowed[name] ?? null);
  if (apiKey === null && values.every((value) => value === null)) return null;
  const text = JSON.stringify(['tierwatch account', apiKey, ...values]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export interface Agents {
  get(name: HarnessName): AgentHost;
  /** Cheap while no program has changed. */
  refresh(): Promise<void>;
}

/** `root`: the repository's root folder. */
export async function findAgents(env: RunnerEnv, root: string): Promise<Agents> {
  const allowed = passThrough(env.source, env.passEnv);
  const searchPath = allowed.PATH ?? '';
  const known = new Map<HarnessName, { stamp: string; agent: ProbedAgent }>();

  const binaries: Record<HarnessName, () => HostLayout['binary']> = {
    claude: () => ({ file: resolveProgram(env.claudeBin, searchPath), args: [] }),
    demo: () => demoBinary(root),
  };

  async function probe(name: HarnessName): Promise<void> {
    const binary = binaries[name]();
    const stamp = `${binary.file} ${programStamp(binary)}`;
    if (known.get(name)?.stamp === stamp) return;
    const home = path.join(env.dir, 'probe');
    const agent = await probeAgent(binary, {
      PATH: searchPath,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    });
    known.set(name, { stamp, agent });
  }

  let refreshing: Promise<void> | null = null;

  function refresh(): Promise<void> {
    refreshing ??= Promise.all(harnessNameSchema.options.map(probe)).then(() => {
      refreshing = null;
    });
    return refreshing;
  }

  await refresh();
  return {
    refresh,
    get(name) {
      const agent = known.get(name)?.agent;
      if (!agent) throw new Error(`The harness ${name} was not looked at.`);
      if (name === 'claude') {
        const apiKey = env.anthropicApiKey;
        return { ...agent, passThrough: allowed, apiKey, account: accountOf(allowed, apiKey) };
      }
      const PATH = [env.demoBin, searchPath].filter(Boolean).join(':');
      return { ...agent, passThrough: { ...allowed, PATH }, apiKey: null, account: null };
    },
  };
}
