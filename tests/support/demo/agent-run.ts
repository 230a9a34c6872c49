/** Starts the demo agent as a runner does: argv and environment from the harness, for tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HostLayout } from '@/lib/agents/agent';
import { DEMO_AGENT_VERSION, demoAgent, demoBinary } from '@/lib/agents/demo/demo-agent';
import type {
  CheckResultEvent,
  HarnessEvent,
  QuestionAnswers,
  ResultEvent,
} from '@/lib/protocol/events';
import { reportJsonSchema } from '@/lib/protocol/report';
import { type ServiceSpec, type StartSpec, serviceSchema, type Tier } from '@/lib/protocol/spec';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { mcpServerCommand } from '@/workers/runner/agent-socket/mcp-server-command';
import { openAgentSocket } from '@/workers/runner/agent-socket/server';
import { answerChecks } from '@/workers/runner/attempt/requested-checks';

export interface Host extends HostLayout {
  dir: string;
  /** Results of the checks that the agent asked for. */
  checked: CheckResultEvent[];
}

/** `binDir` holds the commands the agent may call. */
export async function makeHost(services: ServiceSpec[], binDir: string): Promise<Host> {
  const dir = await mkdtemp(path.join(tmpdir(), 'demo-agent-'));
  const at = (name: string) => path.join(dir, name);
  for (const name of ['work', 'config', 'state', 'tmp']) await mkdir(at(name));
  await writeFile(at('services.json'), JSON.stringify(services));
  const marker = randomUUID();
  const checked: CheckResultEvent[] = [];
  // Closed with the process of the tests.
  const socket = await openAgentSocket(dir);
  socket.serve(marker, async (ask) => {
    if (ask.kind !== 'check') return { ok: false, error: 'No notes are kept.' };
    // Read each time: a test may replace the file.
    const now = serviceSchema
      .array()
      .parse(JSON.parse(await readFile(at('services.json'), 'utf8')));
    return answerChecks({ services: now }, (check) => void checked.push(check)).answer(ask.service);
  });
  return {
    dir,
    checked,
    binary: demoBinary(checkout),
    cliVersion: DEMO_AGENT_VERSION,
    workDir: at('work'),
    configDir: at('config'),
    stateDir: at('state'),
    tmpDir: at('tmp'),
    systemPromptFile: at('system.md'),
    mcpConfigFile: at('mcp.json'),
    settingsFile: at('settings.json'),
    hookCommand: null,
    marker,
    passThrough: { PATH: `${binDir}:${process.env.PATH}`, TIERWATCH_DEMO_PACE_MS: '0' },
    mcpServer: mcpServerCommand({
      root: checkout,
      servicesFile: at('services.json'),
      socketPath: socket.path,
      keepsNotes: false,
    }),
  };
}

export function startSpec(tier: Tier, more: Partial<StartSpec> = {}): StartSpec {
  return {
    harness: 'demo',
    tier,
    purpose: 'tier',
    model: { 1: 'haiku', 2: 'sonnet', 3: 'opus' }[tier],
    cliSessionId: randomUUID(),
    continuation: { mode: 'fresh' },
    prompt: `You are tier ${tier}.`,
    systemPrompt: '',
    tools: ['Bash', 'Read'],
    allowedRules: [],
    disallowedRules: [],
    reportSchema: reportJsonSchema,
    limits: { timeoutSeconds: 60, stallSeconds: 30, maxTurns: 40, maxBudgetUsd: 5 },
    writesHandoffFile: false,
    agent: null,
    questionWaitSeconds: null,
    isolation: 'off',
    commands: null,
    checkpoints: null,
    recovery: null,
    ...more,
  };
}

export interface Run {
  code: number | null;
  events: HarnessEvent[];
  result: ResultEvent | undefined;
  stderr: string;
}

/** `onEvent` sees each event as it comes, with the process; `answers` go to every question. */
export async function runAgent(
  spec: StartSpec,
  host: Host,
  onEvent: (event: HarnessEvent, child: ChildProcess) => void = () => {},
  answers: QuestionAnswers | null = null,
): Promise<Run> {
  const command = demoAgent.command(spec, host);
  for (const file of command.files) await writeFile(file.path, file.content, { mode: 0o600 });
  // Next declares NODE_ENV as always there; the agent's environment is complete without it.
  const env = command.env as NodeJS.ProcessEnv;
  const child = spawn(command.file, command.args, { cwd: host.workDir, env });
  const parser = demoAgent.createParser({ reportsParts: spec.purpose === 'ask' });
  const events: HarnessEvent[] = [];
  let stderr = '';
  let rest = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.flatMap((line) => parser.push(line))) {
      events.push(event);
      onEvent(event, child);
      if (event.kind === 'result') child.stdin.end();
      if (event.kind !== 'question') continue;
      const { requestId } = event;
      const line = answers
        ? parser.requests?.answer(requestId, answers)
        : parser.requests?.decline(requestId, 'Nobody answered.');
      child.stdin.write(`${line}\n`);
    }
  });
  child.stdin.on('error', () => {});
  child.stdin.write(command.stdin);
  if (!command.stdinStaysOpen) child.stdin.end();
  const [code] = await once(child, 'close');
  const result = events.filter((event) => event.kind === 'result').at(-1);
  return { code, events, result, stderr };
}

export async function transcript(host: Host, cliSessionId: string): Promise<string> {
  const folder = host.workDir.replace(/[^A-Za-z0-9]/g, '-');
  const file = path.join(host.configDir, 'projects', folder, `${cliSessionId}.jsonl`);
  return readFile(file, 'utf8');
}
