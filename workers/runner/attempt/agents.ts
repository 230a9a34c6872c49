/** The agents this host offers, probed again when their programs change. */

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Agent, HostLayout, ModelProvider, ProgramSettings } from '@/lib/agents/agent';
import type { HarnessName } from '@/lib/protocol/spec';
import type { RunnerEnv } from '../env';
import { findProgram } from '../process/find-program';
import type { StartError } from '../process/start-error';
import { ANSWER_TIMEOUT_MS, type Probe, probeAgent, programStamp } from './probe-agent';

export interface Agents {
  get(name: HarnessName): AgentHost;
  /** Keys of model providers: they must never leave this host. */
  apiKeys: readonly string[];
  /** Cheap while no program has changed and all have answered. */
  refresh(): Promise<void>;
}

/** A hash, so that the control plane can compare accounts without learning a key. */
function accountOf({ account }: ProgramSettings): string | null {
  if (account === null) return null;
  const text = JSON.stringify(['tierwatch account', ...account]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * @param root the repository's root folder
 * @param answerTimeoutMs how long a program may take to print its version or its help
 */
export async function findAgents(
  env: RunnerEnv,
  root: string,
  harnesses: Record<HarnessName, Agent>,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
): Promise<Agents> {
  const all = Object.values(harnesses).map((agent) => {
    const passed = passThrough(env.source, [...env.passEnv, ...agent.program.passedVariables]);
    return { agent, passed, settings: agent.program.settings({ env: env.source, passed, root }) };
  });
  const known = new Map<HarnessName, Probe & { stamp: string }>();

  async function probe({ agent, passed, settings }: (typeof all)[number]): Promise<void> {
    const { name, program } = agent;
    const { file, args } = settings.binary;
    const binary = { file: findProgram(file, passed.PATH ?? ''), args };
    const stamp = `${binary.file} ${programStamp(binary)}`;
    const last = known.get(name);
    if (last?.stamp === stamp && last.isConclusive) return;
    const probeEnv = program.probeEnv(path.join(env.dir, 'probe'));
    const processEnv = { PATH: passed.PATH ?? '', ...probeEnv };
    known.set(name, {
      stamp,
      ...(await probeAgent(binary, program, processEnv, answerTimeoutMs)),
    });
  }

  let refreshing: Promise<void> | null = null;

  function refresh(): Promise<void> {
    refreshing ??= Promise.all(all.map(probe)).then(() => {
      refreshing = null;
    });
    return refreshing;
  }

  await refresh();
  return {
    refresh,
    apiKeys: all.flatMap(({ settings }) => settings.apiKey ?? []),
    get(name) {
      const found = all.find(({ agent }) => agent.name === name);
      const probed = known.get(name)?.probed;
      if (!found || !probed) throw new Error(`This runner has no agent ${name}.`);
      const { passed, settings } = found;
      const PATH = [settings.searchFirst, passed.PATH].filter(Boolean).join(':');
      return {
        ...probed,
        passThrough: PATH === '' ? passed : { ...passed, PATH },
        apiKey: settings.apiKey,
        account: accountOf(settings),
        provider: settings.provider,
        obstacle: settings.obstacle,
      };
    },
  };
}

/** Which variables of the runner's own environment an agent may see: these, and named ones. */
const ALLOWED = [
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

export function passThrough(
  source: Record<string, string | undefined>,
  named: readonly string[],
): Record<string, string> {
  const isAllowed = (name: string) =>
    ALLOWED.includes(name) || name.startsWith('LC_') || named.includes(name);
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value !== undefined && isAllowed(name) ? [[name, value]] : [],
    ),
  );
}

/** What an agent finds on this host: its program, its version, and what it may see. */
export interface AgentHost extends ProbedAgent {
  passThrough: Record<string, string>;
  apiKey: string | null;
  /** Stands for the provider's account and route; null without a key of its own. */
  account: string | null;
  provider: ModelProvider;
  /** Why starts would fail although the program is there; null: nothing known. */
  obstacle: string | null;
}

export interface ProbedAgent {
  binary: HostLayout['binary'];
  version: string | null;
  /** Hash of the program and the flags it knows. A pointer made under another is not resumed. */
  fingerprint: string | null;
  /** It can continue a conversation in a fork. */
  canResume: boolean;
  /** Set when the program cannot be started; an attempt then ends with it. */
  startError: StartError | null;
}
