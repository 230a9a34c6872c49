/**
 * A real CLI whose request is never answered: the runner stops it after the stall limit, and its
 * conversation continues in a fork with every call that had ended.
 */

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import { AGENTS } from '@/lib/agents/registry';
import { decideAfterEnd } from '@/lib/engine/continuation/retry';
import { silenceFacts, toolCallsOf } from '@/lib/engine/ending/tool-calls';
import { decideTurnEnd } from '@/lib/engine/kinds/turn/settle/turn-end';
import { renderPrompt } from '@/lib/projects/prompts';
import type { StartSpec } from '@/lib/protocol/spec';
import type { SpecChanges } from '../support/fake-control-plane/attempt-spec';
import type { StoredAttempt } from '../support/fake-control-plane/attempt-store';
import { conversationOf } from '../support/messages-api/conversation';
import { callBash, hang, reportBack, say } from '../support/messages-api/reply';
import { REPORT_SCHEMA } from './support/cli-host';
import { newestCli } from './support/clis';
import { withRunner } from './support/with-runner';

const PROMPT = renderPrompt('continue', { reportTool: AGENTS.claude.toolNames.report });
/** Long enough for the start of the CLI and the start of a command on a busy machine. */
const limits = { timeoutSeconds: 120, stallSeconds: 15, maxTurns: 20, maxBudgetUsd: null };
/** For a process that is not meant to go silent, however busy the machine is. */
const patient = { ...limits, stallSeconds: 60 };

/** Of one project, so that both find the same conversations. */
const project = { organizationId: randomUUID(), projectId: randomUUID() };

const tierTwo = (changes: Partial<StartSpec> = {}): SpecChanges => ({
  ...project,
  start: {
    tier: 2,
    reportSchema: REPORT_SCHEMA,
    tools: ['Bash'],
    allowedRules: ['Bash(mkdir:*)'],
    limits,
    ...changes,
  },
});

const turn = (changes: Partial<StartSpec> = {}): SpecChanges => ({
  ...project,
  start: {
    purpose: 'ask',
    prompt: 'And db?',
    reportSchema: null,
    questionWaitSeconds: 600,
    tools: ['Bash'],
    allowedRules: ['Bash(ls:*)'],
    limits,
    ...changes,
  },
});

/** How the control plane classifies what the runner sent. */
function classified(attempt: StoredAttempt, start: StartSpec) {
  const [result] = attempt.results;
  if (!result) throw new Error('There is no result.');
  const events = attempt.events();
  const isReportRequired = start.reportSchema !== null;
  const end = classifyAttemptEnd({
    ...result,
    start,
    runner: 'test',
    init: events.find((event) => event.kind === 'init') ?? null,
    results: events.filter((event) => event.kind === 'result'),
    hasValidReport: false,
    isReportRequired,
    rateLimitResetsAt: null,
    rateLimitRetries: 0,
    endedAt: new Date(),
  });
  const { harness } = start;
  const about = { isContinuation: false, events, harness, reported: result, earlier: [] };
  return { ...end, silence: silenceFacts(end, about) };
}

/** What the control plane decides after that for a tier, and for a turn. */
function decidedAfter(attempt: StoredAttempt, start: StartSpec) {
  const { end, retry, silence } = classified(attempt, start);
  const next = decideAfterEnd({
    end,
    retry,
    ...silence,
    tier: 2,
    purpose: 'tier',
    startMode: 'fresh',
    hasEarlierChange: false,
    hasFallenBack: false,
    retriesUsed: 0,
    hasReconciled: false,
    canReconcile: true,
    reconciledEnd: null,
  });
  return { end, next: next.kind };
}

function decidedAfterTurn(attempt: StoredAttempt, start: StartSpec) {
  const end = classified(attempt, start);
  const next = decideTurnEnd({
    ...end,
    answer: null,
    isResumed: false,
    toolCalls: toolCallsOf(attempt.events(), start.harness).length,
    hasFallenBack: false,
    retriesUsed: 0,
    isStopped: false,
  });
  return { end: end.end, next: next.kind };
}

for (const cli of newestCli()) {
  const test = it.skipIf(cli.problem !== null);

  test(`[ENG-5.5] CLI ${cli.version}: a silent conversation continues with its calls, and repeats none`, () =>
    withRunner(
      cli.binary,
      [callBash('mkdir done'), hang(), reportBack({ summary: 'done' })],
      async (host, api) => {
        const silent = await host.run(tierTwo());
        expect(silent.results[0]).toMatchObject({ stopCause: 'stalled', transcriptSeen: true });
        expect(decidedAfter(silent, silent.spec.start)).toEqual({
          end: 'stalled',
          next: 'continue',
        });

        const again = await host.run(
          tierTwo({
            prompt: PROMPT,
            limits: patient,
            continuation: {
              mode: 'resume',
              parentCliSessionId: silent.spec.start.cliSessionId,
              workDirInode: null,
              transcript: silent.results[0]?.transcript ?? null,
            },
          }),
        );
        expect(again.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
        const request = api.requests[2];
        const told = JSON.stringify(request && conversationOf(request));
        expect(told).toContain('mkdir done');
        expect(told).toContain('tool_result');
        expect(told).toContain('Continue where you left off. You stopped responding');
        // The CLI runs nothing again by itself.
        const calls = toolCallsOf(again.events(), 'claude').map(({ tool }) => tool);
        expect(calls).toEqual(['StructuredOutput']);
      },
    ));

  test(`[ENG-5.5] CLI ${cli.version}: a silent turn continues where it left off, and its answer comes`, () =>
    withRunner(
      cli.binary,
      [callBash('ls /etc/hostname'), hang(), say('db is well.')],
      async (host, api) => {
        const silent = await host.run(turn());
        expect(silent.results[0]).toMatchObject({ stopCause: 'stalled', transcriptSeen: true });
        expect(decidedAfterTurn(silent, silent.spec.start)).toEqual({
          end: 'stalled',
          next: 'continue',
        });

        const again = await host.run(
          turn({
            prompt: renderPrompt('ask-continue', {}),
            limits: patient,
            continuation: {
              mode: 'resume',
              parentCliSessionId: silent.spec.start.cliSessionId,
              workDirInode: null,
              transcript: silent.results[0]?.transcript ?? null,
            },
          }),
        );
        expect(again.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
        const events = again.events();
        expect(events.findLast((event) => event.kind === 'result')).toMatchObject({
          isError: false,
          text: 'db is well.',
        });
        expect(toolCallsOf(events, 'claude')).toEqual([]);
        const request = api.requests[2];
        const told = JSON.stringify(request && conversationOf(request));
        expect(told.split('And db?')).toHaveLength(2);
        expect(told).toContain('ls /etc/hostname');
        expect(told).toContain('tool_result');
        expect(told.split('Continue where you left off')).toHaveLength(2);
      },
    ));

  test(`[ENG-5.5] CLI ${cli.version}: a command that runs for longer is no silence`, () =>
    withRunner(
      cli.binary,
      [callBash('mkdir done && sleep 9'), reportBack({ summary: 'done' })],
      async (host) => {
        const attempt = await host.run(
          tierTwo({ allowedRules: ['Bash(mkdir:*)', 'Bash(sleep:*)'] }),
        );
        expect(attempt.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
      },
    ));
}
