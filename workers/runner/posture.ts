/** What this host offers, told with every heartbeat. */

import { hostname, userInfo } from 'node:os';
import { isTestedVersion, TESTED_CLI_VERSIONS } from '@/lib/agents/claude/versions';
import { type Posture, RUNNER_VERSION } from '@/lib/protocol/schema';
import { type HarnessName, harnessNameSchema } from '@/lib/protocol/spec';
import type { AgentHost } from './attempt/agent-host';
import type { Agents } from './attempt/agents';

/** Any of them lets the CLI sign in to its provider. */
const CREDENTIALS = [
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

export function currentPosture(options: {
  agents: Agents;
  slots: number;
  containment: Posture['containment'];
  door: Posture['door'];
  keySource: Posture['keySource'];
  projectsDir: string;
}): Posture {
  const user = userInfo();
  return {
    runnerVersion: RUNNER_VERSION,
    hostname: hostname(),
    platform: `${process.platform}-${process.arch}`,
    user: user.username,
    isRoot: user.uid === 0,
    containment: options.containment,
    slots: options.slots,
    door: options.door,
    keySource: options.keySource,
    projectsDir: options.projectsDir,
    canTestChecks: true,
    canAsk: true,
    harnesses: harnessNameSchema.options.map((name) => offer(name, options.agents.get(name))),
  };
}

function offer(name: HarnessName, agent: AgentHost): Posture['harnesses'][number] {
  const { version, fingerprint, canResume, startError, account } = agent;
  const obstacle = startError?.message ?? missingKey(name, agent);
  const problem = obstacle ?? untestedVersion(name, version);
  return { name, version, fingerprint, isUsable: obstacle === null, problem, canResume, account };
}

function missingKey(name: HarnessName, agent: AgentHost): string | null {
  const hasKey = agent.apiKey !== null || CREDENTIALS.some((each) => each in agent.passThrough);
  if (name !== 'claude' || hasKey) return null;
  return 'This runner has no key for the model provider. Set ANTHROPIC_API_KEY on its host.';
}

function untestedVersion(name: HarnessName, version: string | null): string | null {
  if (name !== 'claude' || version === null || isTestedVersion(version)) return null;
  return `Claude Code ${version} is not among the tested versions (${TESTED_CLI_VERSIONS.join(', ')}). It runs, with care.`;
}
