/** A host folder for one test, and start specs for it. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HostLayout } from '@/lib/agents/agent';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ServiceSpec, StartSpec, Tier } from '@/lib/protocol/spec';
import type { MessagesApi } from '../../support/messages-api/messages-api';
import type { FetchedCli } from './fetch-clis.mts';

export const REPORT_SCHEMA = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
  additionalProperties: false,
};

export interface CliHost {
  layout: HostLayout;
  root: string;
  /** Puts a program on the PATH that prints `ran <name> <arguments>`. */
  addProgram(name: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createCliHost(cli: FetchedCli, api: MessagesApi): Promise<CliHost> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'tierwatch-cli-')));
  const folder = async (name: string) => {
    const made = path.join(root, name);
    await mkdir(made);
    return made;
  };
  const binDir = await folder('bin');
  const layout: HostLayout = {
    binary: { file: cli.binary, args: [] },
    cliVersion: cli.version,
    workDir: await folder('work'),
    configDir: await folder('config'),
    stateDir: await folder('state'),
    tmpDir: await folder('tmp'),
    systemPromptFile: path.join(root, 'system-prompt.md'),
    mcpConfigFile: path.join(root, 'mcp.json'),
    settingsFile: path.join(root, 'settings.json'),
    hookCommand: null,
    marker: randomUUID(),
    passThrough: {
      PATH: `${binDir}:/usr/local/bin:/usr/bin:/bin`,
      ANTHROPIC_BASE_URL: api.url,
    },
    apiKey: 'key-of-the-runner',
    mcpServer: {
      type: 'stdio',
      command: process.execPath,
      args: [path.resolve(import.meta.dirname, 'check-server.mjs')],
    },
  };
  return {
    layout,
    root,
    async addProgram(name) {
      const file = path.join(binDir, name);
      await writeFile(file, `#!/bin/sh\necho "ran ${name} $*"\n`);
      await chmod(file, 0o755);
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const SERVICES: ServiceSpec[] = [
  {
    name: 'shop',
    checks: [
      { type: 'http', target: 'http://web.example.test/health', timeoutSeconds: 5 },
      { type: 'container', target: 'web', timeoutSeconds: 5 },
      { type: 'service', target: 'nginx', timeoutSeconds: 5 },
    ],
  },
];

/** A start of a tier with its default tools; each has a conversation id of its own. */
export function tierStart(tier: Tier, changes: Partial<StartSpec> = {}): StartSpec {
  const policy = DEFAULT_TIERS[tier - 1];
  if (policy === undefined) throw new Error(`There is no tier ${tier}.`);
  return {
    harness: 'claude',
    tier,
    purpose: 'tier',
    model: policy.model,
    cliSessionId: randomUUID(),
    continuation: { mode: 'fresh' },
    prompt: `You are tier ${tier} now.`,
    systemPrompt: '',
    tools: policy.tools,
    allowedRules: expandRules(policy.allowedTools, SERVICES),
    disallowedRules: policy.disallowedTools,
    reportSchema: REPORT_SCHEMA,
    limits: {
      timeoutSeconds: policy.timeoutSeconds,
      stallSeconds: policy.stallSeconds,
      maxTurns: policy.maxTurns,
      maxBudgetUsd: policy.maxBudgetUsd,
    },
    writesHandoffFile: false,
    agent: null,
    questionWaitSeconds: null,
    isolation: 'off',
    commands: null,
    checkpoints: null,
    recovery: null,
    ...changes,
  };
}

/** A turn of a conversation; the agent may ask, unless `changes` say that nobody waits. */
export function askStart(prompt: string, changes: Partial<StartSpec> = {}): StartSpec {
  const asking = { purpose: 'ask', reportSchema: null, questionWaitSeconds: 600 } as const;
  return tierStart(1, { ...asking, prompt, ...changes });
}

/** The same tier going on with an earlier start's conversation. */
export function resumeOf(parent: StartSpec): StartSpec['continuation'] {
  return { mode: 'resume', parentCliSessionId: parent.cliSessionId };
}
