/** Sets up a confined attempt: the sandbox, the command broker and the model gateway. */

import { mkdirSync } from 'node:fs';
import { Server } from 'node:net';
import path from 'node:path';
import type { Agent, Command, ModelProvider } from '@/lib/agents/agent';
import { confinedRules } from '@/lib/agents/confined-rules';
import type { CommandRules } from '@/lib/commands/decide';
import { brokeredPrograms } from '@/lib/commands/inside';
import { parseCommandRule } from '@/lib/commands/rule';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { confinementText } from '@/lib/fleet/confinement';
import type { Confinement, StartIsolation } from '@/lib/protocol/confinement';
import { MARKER_VARIABLE, projectFolder } from '@/lib/protocol/project-folder';
import type { AttemptSpec, CommandPolicy, StartSpec } from '@/lib/protocol/spec';
import { createBroker } from '../broker/broker';
import type { CommandOptions } from '../broker/commands';
import { REFUSED_CODE, shimMounts } from '../broker/shims';
import { bringConversationHome } from '../conversations/kept-files';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway/gateway';
import type { AttemptCgroup } from '../process/cgroup';
import { realPath } from '../process/find-program';
import { attemptMounts } from '../sandbox/attempt-mounts';
import type { SandboxProgram } from '../sandbox/confinement';
import { COMMANDS_PORT, INSIDE, MODEL_PORT, SANDBOX_USER } from '../sandbox/inside';
import { type SandboxStart, sandboxStart } from '../sandbox/sandbox-start';
import type { AgentHost } from './agents';
import { type AgentPlaces, type AttemptHost, type AttemptPaths, projectsDir } from './host-layout';
import { commandSecrets } from './secrets';

export interface ConfinedAttempt {
  /** The start as the agent gets it: within its sandbox it may run any command. */
  start: StartSpec;
  /** The host as the agent sees it: without keys. */
  host: AgentHost;
  places: AgentPlaces;
  /** With the files that the runner writes, where they are on the host. */
  commandOnHost(command: Command): Command;
  sandbox(command: Command): SandboxStart;
  /** Ends all commands and requests to the model. */
  close(): Promise<void>;
  /** Moves the conversation to where the project's are. */
  keepConversation(): void;
}

interface ConfineOptions
  extends Pick<
    CommandOptions,
    | 'redactor'
    | 'isLeaseValid'
    | 'authorize'
    | 'reason'
    | 'onUnheld'
    | 'add'
    | 'sync'
    | 'onManyRefused'
  > {
  runner: AttemptHost;
  spec: AttemptSpec;
  paths: AttemptPaths;
  host: AgentHost;
  agent: Pick<Agent, 'conversations' | 'prices'>;
  program: SandboxProgram;
  cgroup: Pick<AttemptCgroup, 'command'> | null;
  marker: string;
  socketPath: string;
  /** What a request to the model has cost. */
  onMetered: GatewayOptions['onMetered'];
  /** The attempt's budget is used up. */
  onBudgetUsed: GatewayOptions['onBudgetUsed'];
  /** A request to the model asked for something that the tier doesn't have. */
  onRefused: GatewayOptions['onRefused'];
}

/** What the agent has to know about its place. Only the runner knows whether it is confined. */
const SANDBOX_NOTE = `# Sandbox

You work in a sandbox without a network. Nothing outside of your work folder, ${INSIDE.workDir}, can be changed from it, and any command may run in it. A command that an allowed rule names runs outside, on the host itself: in an empty folder, without input, with files of your work folder passed by their path. One that is refused prints "tierwatch: not run:" with the reason and exits with ${REFUSED_CODE}; it was not executed. Don't look for other ways to run it.`;

/** Stands for the key that the runner's gateway adds. */
const KEY_PLACEHOLDER = 'held-by-the-runner';

export function confineAttempt(options: ConfineOptions): ConfinedAttempt {
  const { runner, spec, paths, host, agent, program, socketPath } = options;
  const { dir: runnerDir, root, digestKey } = runner;
  const rules = compiled(spec.start.commands);
  const hostPath = host.passThrough.PATH ?? '';
  const gateway = openGateway(options);
  const broker = createBroker({
    ...options,
    digestKey,
    secretsOf: commandSecrets(runnerDir, spec.start.commands?.secrets ?? []),
    cgroupOf: (number) => options.cgroup?.command(number) ?? null,
    isAgentIdle: () => gateway?.isIdle() ?? true,
    rules,
    refused: spec.start.commands?.refused ?? [],
    known: spec.start.commands?.values ?? { targets: NO_TARGETS, host: [], url: [] },
    workDir: realPath(paths.workDir),
    dir: path.join(paths.attemptDir, 'broker'),
    env: {
      ...commandEnvironment(host, homeOf(runnerDir, spec), options.marker),
      ...(spec.traceparent === undefined ? {} : { TRACEPARENT: spec.traceparent }),
    },
  });
  const places = { ...INSIDE };

  function onPort(port: unknown, server: unknown): void {
    if (!(server instanceof Server)) return;
    if (port === COMMANDS_PORT) broker.serve(server);
    else if (port === MODEL_PORT && gateway) gateway.serve(server);
    else server.close();
  }

  return {
    start: {
      ...spec.start,
      ...confinedRules(spec.start),
      systemPrompt: [spec.start.systemPrompt, SANDBOX_NOTE].filter(Boolean).join('\n\n'),
    },
    host: {
      ...host,
      passThrough: agentEnvironment(host, hostPath),
      apiKey: host.apiKey === null ? null : KEY_PLACEHOLDER,
    },
    places,
    commandOnHost: (command) => ({
      ...command,
      files: command.files.map(({ path: file, content }) => ({
        path: path.join(paths.filesDir, path.relative(INSIDE.filesDir, file)),
        content,
      })),
    }),
    sandbox(command) {
      const mounts = [
        ...attemptMounts({
          start: spec.start,
          paths,
          binary: host.binary,
          conversations: agent.conversations,
          root,
          hidden: [runnerDir, root, ...runner.hidden],
          socketPath,
        }),
        ...shimMounts(path.join(paths.attemptDir, 'commands'), brokeredPrograms(rules), hostPath),
      ];
      const { state } = program.confinement;
      const processList = state === 'confined' ? 'own' : 'host';
      const { env } = command;
      const sandbox = { mounts, env, cwd: INSIDE.workDir, processList } as const;
      return sandboxStart(program.file, root, sandbox, runner.sandboxHost.maxProcesses, onPort);
    },
    async close() {
      gateway?.close();
      await broker.close();
    },
    keepConversation: () =>
      bringConversationHome(
        paths.privateConfigDir,
        paths,
        agent.conversations,
        spec.start.cliSessionId,
      ),
  };
}

function compiled(policy: CommandPolicy | null): CommandRules {
  const compile = (rules: readonly string[]) =>
    rules.flatMap((text) => {
      const parsed = parseCommandRule(text);
      return parsed.ok ? [parsed.rule] : [];
    });
  return {
    allowed: compile(policy?.allowed ?? []),
    denied: compile(policy?.denied ?? []),
    askFirst: compile(policy?.askFirst ?? []),
  };
}

/** What an agent may see of the host's environment in a sandbox: how texts are shown. */
const SHOWN = /^(?:LANG|LANGUAGE|TZ|LC_[A-Z]+)$/;

function agentEnvironment({ passThrough, provider }: AgentHost, hostPath: string) {
  const shown = Object.entries(passThrough).filter(([name]) => SHOWN.test(name));
  const { name } = SANDBOX_USER;
  return {
    ...Object.fromEntries(shown),
    PATH: `${INSIDE.commandsDir}:${hostPath}`,
    SHELL: '/bin/bash',
    USER: name,
    LOGNAME: name,
    ...(provider.kind === 'forwarded'
      ? { [provider.addressVariable]: `http://127.0.0.1:${MODEL_PORT}`, ...provider.placeholders }
      : {}),
  };
}

/** What commands get: the variables that operators pass on, without those of the model. */
function commandEnvironment(
  { passThrough }: AgentHost,
  home: string,
  marker: string,
): Record<string, string> {
  const passed = Object.entries(passThrough).filter(
    ([name]) => !/^(?:ANTHROPIC|CLAUDE)/.test(name),
  );
  return { ...Object.fromEntries(passed), HOME: home, [MARKER_VARIABLE]: marker };
}

/**
 * The home folder of a project's commands. An operator may put settings into it. Agents in a sandbox
 * can't reach it.
 */
function homeOf(
  runnerDir: string,
  spec: Pick<AttemptSpec, 'organizationId' | 'projectId'>,
): string {
  const home = path.join(projectFolder(projectsDir(runnerDir), spec), 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return home;
}

function openGateway(options: ConfineOptions): Gateway | null {
  const { provider } = options.host;
  if (provider.kind !== 'forwarded') return null;
  const { prices } = options.agent;
  const budgetUsd = options.spec.start.limits.maxBudgetUsd;
  const { model, tools } = options.spec.start;
  const { dispatcher } = options.runner;
  const tier = { model, tools };
  return createGateway({ ...options, dispatcher, provider, prices, budgetUsd, tier });
}

/** Whether an attempt is confined. */
export type IsolationDecision =
  | { kind: 'confined' }
  | { kind: 'open' }
  | { kind: 'refused'; why: string };

export function decideIsolation(
  wanted: StartIsolation,
  host: Confinement,
  provider: ModelProvider,
): IsolationDecision {
  if (wanted === 'off') return { kind: 'open' };
  const problem =
    host.state === 'none'
      ? confinementText(host).why
      : provider.kind === 'direct'
        ? provider.why
        : null;
  return problem === null ? { kind: 'confined' } : { kind: 'refused', why: problem };
}
