/** A runner that redacts nothing, and has secrets in every text that it sends. */

import {
  claim as claimRoute,
  events as eventsRoute,
  takeAttemptResult as resultRoute,
} from '@/app/api/runner/v1/attempt-routes';
import {
  checkTest as checkTestRoute,
  enrol as enrollRoute,
  heartbeat as heartbeatRoute,
} from '@/app/api/runner/v1/host-routes';
import type { RouteHandler } from '@/lib/api/route';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { CANARIES } from '@/tests/support/redaction/canaries';

const texts = CANARIES.map(({ text }) => text);
/** All of them, where there is room for a text. */
export const POISON = texts.join('\n\n');
/** Some, where the room is small. */
export const DROP = texts.slice(0, 12).join('\n\n');

export interface HostileRunner {
  heartbeat(): Promise<void>;
  claim(attemptId: string): Promise<AttemptSpec>;
  /** Behind those that it has sent of this attempt. */
  send(spec: AttemptSpec, events: RunnerEvent[]): Promise<void>;
  end(spec: AttemptSpec, result: Partial<AttemptResult>, events?: RunnerEvent[]): Promise<void>;
  answerCheckTest(testId: string): Promise<void>;
  /** @returns the status of the answer */
  enroll(token: string, name: string): Promise<number>;
}

export function hostileRunner(key: string): HostileRunner {
  const sent = new Map<string, number>();

  async function post(handler: RouteHandler, body: unknown, params = {}): Promise<Response> {
    const request = new Request('http://127.0.0.1/api/runner/v1', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return handler(request, { params: Promise.resolve(params) });
  }

  async function accepted(answer: Promise<Response>): Promise<unknown> {
    const response = await answer;
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  const numbered = ({ attemptId }: AttemptSpec, events: RunnerEvent[]) => {
    const from = sent.get(attemptId) ?? 0;
    sent.set(attemptId, from + events.length);
    const at = new Date().toISOString();
    return events.map((event, index) => ({ seq: from + index + 1, at, event }));
  };

  return {
    async heartbeat() {
      const capabilities = {
        ...TEST_CAPABILITIES,
        canTestChecks: true,
        runnerVersion: TEST_CAPABILITIES.runnerVersion,
        hostname: POISON,
        platform: POISON,
        user: POISON,
        projectsDir: POISON,
        harnesses: TEST_CAPABILITIES.harnesses.map((each) => ({ ...each, problem: POISON })),
      };
      await accepted(post(heartbeatRoute, { protocol: 1, posture: capabilities, running: [] }));
    },
    async claim(attemptId) {
      return attemptSpecSchema.parse(await accepted(post(claimRoute, {}, { attemptId })));
    },
    async send(spec, events) {
      const { attemptId, fence } = spec;
      const batches = [{ attemptId, fence, events: numbered(spec, events) }];
      await accepted(post(eventsRoute, { protocol: 1, batches }));
    },
    async end(spec, result, events = []) {
      const last = numbered(spec, events);
      const at = new Date().toISOString();
      const body = {
        protocol: 1,
        fence: spec.fence,
        lastSeq: sent.get(spec.attemptId) ?? 0,
        startedAt: at,
        endedAt: at,
        startError: null,
        exit: { code: 0, signal: null },
        stopCause: null,
        stderrTail: POISON,
        transcriptSeen: true,
        handoffFile: { state: 'not_expected' },
        leftoversKilled: 0,
        events: last,
        ...result,
      };
      await accepted(post(resultRoute, body, { attemptId: spec.attemptId }));
    },
    async answerCheckTest(testId) {
      const body = { status: 'down', error: DROP.slice(0, 2_000), responseTimeMs: 3 };
      await accepted(post(checkTestRoute, body, { testId }));
    },
    async enroll(token, name) {
      const body = { protocol: 1, token, name };
      return (await post(enrollRoute, body)).status;
    },
  };
}

/** Every kind of event there is, with secrets in each of its texts and names. */
export function poisonedEvents(spec: AttemptSpec): RunnerEvent[] {
  const each = texts.flatMap((text, index): RunnerEvent[] => [
    { kind: 'text', messageId: `m-${index}`, text, parentToolUseId: null },
    {
      kind: 'tool_call',
      messageId: `m-${index}`,
      toolUseId: `t-${index}`,
      tool: 'Bash',
      input: { command: `docker ps; ${text}`, [text]: [{ text, list: [text] }] },
      parentToolUseId: null,
    },
    {
      kind: 'tool_result',
      toolUseId: `t-${index}`,
      isError: false,
      denied: false,
      content: text,
      stdout: `line\n${text}\nline`,
      stderr: JSON.stringify({ text }),
      exitCode: 0,
      cutBytes: 0,
    },
    { kind: 'stderr', text },
  ]);
  const others: RunnerEvent[] = [
    {
      kind: 'command',
      argv: ['claude', '-p', ...texts],
      env: { SETTINGS: POISON, [DROP]: 'set' },
      prompt: POISON,
      systemPrompt: POISON,
      workDir: `/srv/work/${DROP}`,
      configDir: `/srv/config/${DROP}`,
      workDirInode: DROP,
      cliVersion: DROP,
    },
    { kind: 'process', phase: 'started', pid: 1, code: null, signal: null },
    {
      kind: 'init',
      cliSessionId: spec.start.cliSessionId,
      cliVersion: DROP,
      model: DROP,
      tools: texts,
      mcpServers: [{ name: DROP, status: DROP }],
      permissionMode: DROP,
      cwd: DROP,
    },
    {
      kind: 'api_retry',
      attempt: 1,
      maxRetries: 2,
      delayMs: 1,
      status: 500,
      error: POISON,
    },
    { kind: 'model_fallback', from: DROP, to: DROP, trigger: DROP },
    {
      kind: 'compaction',
      phase: 'failed',
      trigger: DROP,
      preTokens: 1,
      postTokens: 1,
      error: POISON,
    },
    { kind: 'rate_limit', status: DROP, resetsAt: null },
    { kind: 'unparsed', text: POISON, bytes: 1, reason: 'not_json' },
    { kind: 'system', subtype: DROP, detail: { [DROP]: { [POISON]: texts } } },
    {
      kind: 'check_result',
      service: 'web',
      type: 'http',
      target: DROP,
      status: 'down',
      error: POISON,
      responseTimeMs: 3,
    },
    { kind: 'notice', level: 'warning', code: DROP, message: POISON, service: DROP },
    {
      kind: 'checkpoint',
      trigger: 'periodic',
      digest: POISON,
      counts: { prompts: 1, toolCalls: 1, toolResults: 1, elapsedMs: 1 },
      queries: texts.slice(0, 20),
      remembered: texts.slice(0, 10),
      projectPath: DROP,
      projectPathNormalized: DROP,
      hookSessionId: DROP,
    },
  ];
  return [...others, ...each];
}
