/** Plays a runner against the services that the runner API calls: claim, events, result. */

import '../subscriptions';
import { claimAttempt } from '@/lib/engine/claim';
import { recordEvents } from '@/lib/engine/record-events';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';

export interface Played {
  report?: Partial<TierReport> | null;
  /** Before the result. */
  events?: RunnerEvent[];
  costUsd?: number;
  /** Of the last request: the conversation's context. */
  contextTokens?: number;
  /** The agent's last words. */
  text?: string;
  model?: string;
  window?: number;
  cliVersion?: string;
  result?: Partial<AttemptResult>;
  /** What the runner found equal before it started the process. */
  verified?: ('work_dir' | 'transcript')[];
  /** Of the model's provider, as the runner reports it. */
  account?: string;
  /** No result event: the process said nothing. */
  isSilent?: boolean;
}

export function testReport(changes: Partial<TierReport> = {}): TierReport {
  return {
    summary: 'All services answer.',
    services_checked: [],
    findings: [],
    escalation: { wanted: false, reason: '', services: [] },
    actions_taken: [],
    ...changes,
  };
}

export const wantsHelp = (services = ['web']): Partial<TierReport> => ({
  summary: 'web is down.',
  escalation: { wanted: true, reason: 'web refuses connections', services },
});

/** What the runner's own check of a service found, as `testConfig` configures it. */
export function checked(
  service: 'web' | 'db',
  status: 'healthy' | 'degraded' | 'down' | 'unknown',
): RunnerEvent {
  const error = status === 'healthy' ? '' : 'Connection refused.';
  const [type, target] =
    service === 'web' ? ['http', 'http://127.0.0.1:9/health'] : ['tcp', '127.0.0.1:9'];
  return { kind: 'check_result', service, type, target, status, error, responseTimeMs: null };
}

export async function nextAttemptId(scope: TenantScope): Promise<string> {
  return inTransaction(scope, async (db) => {
    const attempt = await db.attempt.findFirstOrThrow({ where: { status: 'queued' } });
    return attempt.id;
  });
}

/** Claims the queued attempt of the organization. */
export async function claimNext(runner: TenantScope, now = new Date()): Promise<AttemptSpec> {
  return claimAttempt(runner, await nextAttemptId(runner), now);
}

/** Everything that a process with this outcome would have sent, in order. */
export function eventsOf(spec: AttemptSpec, played: Played): RunnerEvent[] {
  const model = played.model ?? `claude-${spec.start.model}-test`;
  const tokens = played.contextTokens ?? 1_000;
  const usage = { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const events: RunnerEvent[] = [
    {
      kind: 'command',
      argv: ['claude', '-p'],
      env: {},
      prompt: spec.start.prompt,
      systemPrompt: spec.start.systemPrompt,
      workDir: '/srv/work',
      configDir: '/srv/config',
      workDirInode: '1:1',
      ...(played.verified ? { verified: played.verified } : {}),
      ...(played.account ? { account: played.account } : {}),
      cliVersion: played.cliVersion ?? '2.1.197',
    },
    { kind: 'process', phase: 'started', pid: 1, code: null, signal: null },
    {
      kind: 'init',
      cliSessionId: spec.start.cliSessionId,
      cliVersion: played.cliVersion ?? '2.1.197',
      model,
      tools: spec.start.tools,
      mcpServers: [],
      permissionMode: 'dontAsk',
      cwd: '/srv/work',
    },
    { kind: 'request_usage', messageId: `m-${spec.attemptId}`, model, ...usage, final: true },
    ...(played.events ?? []),
  ];
  if (played.isSilent) return events;
  return [
    ...events,
    {
      kind: 'result',
      subtype: 'success',
      isError: false,
      apiErrorStatus: null,
      terminalReason: 'completed',
      stopReason: 'tool_use',
      cliSessionId: spec.start.cliSessionId,
      numTurns: 3,
      durationMs: 1_000,
      durationApiMs: 900,
      totalCostUsd: played.costUsd ?? 0.01,
      modelUsage: {
        [model]: {
          ...usage,
          costUsd: played.costUsd ?? 0.01,
          contextWindow: played.window ?? 200_000,
        },
      },
      text: played.text ?? '',
      errors: [],
      structuredOutput: played.report === null ? null : testReport(played.report),
      permissionDenials: [],
    },
  ];
}

export function resultOf(
  spec: AttemptSpec,
  lastSeq: number,
  played: Played,
  now: Date,
): AttemptResult {
  return {
    protocol: 1,
    fence: spec.fence,
    lastSeq,
    startedAt: now.toISOString(),
    endedAt: now.toISOString(),
    startError: null,
    exit: { code: 0, signal: null },
    stopCause: null,
    stderrTail: '',
    transcriptSeen: true,
    transcript: null,
    handoffFile: { state: spec.start.writesHandoffFile ? 'absent' : 'not_expected' },
    leftoversKilled: 0,
    ...played.result,
  } as AttemptResult;
}

/** Sends the events and the result, and settles: a whole attempt after its claim. */
export async function play(
  runner: TenantScope,
  spec: AttemptSpec,
  played: Played,
  now = new Date(),
): Promise<void> {
  const events = eventsOf(spec, played);
  await recordEvents(
    runner,
    [
      {
        attemptId: spec.attemptId,
        fence: spec.fence,
        events: events.map((event, index) => ({ seq: index + 1, at: now.toISOString(), event })),
      },
    ],
    now,
  );
  await recordResult(runner, spec.attemptId, resultOf(spec, events.length, played, now), now);
  await settleAttempt(scopeOfSystem(runner.organizationId), spec.attemptId, now);
}
