/** What a confined agent costs, as the runner's gateway counts it, against what the API handed out. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import { bookAttempt } from '@/lib/agents/claude/usage';
import type { StartSpec } from '@/lib/protocol/spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import { callBash, hangAfterStart, reportBack, saySlowly } from '../../support/messages-api/reply';
import { spent, tokensByModel } from '../support/tokens';
import {
  type ConfinedHost,
  confinedStart,
  describeConfined,
  PATIENCE_MS,
  withConfined,
} from './support';

const reportedBy = (attempt: StoredAttempt) => ({
  reported: attempt.events().findLast((event) => event.kind === 'result')?.modelUsage ?? null,
});

const project = () => ({ organizationId: randomUUID(), projectId: randomUUID() });

function run(host: ConfinedHost, of: ReturnType<typeof project>, changes: Partial<StartSpec>) {
  return host.run({ ...of, start: confinedStart(changes) }, PATIENCE_MS);
}

describeConfined('the gateway', (cli) => {
  it('[BND-3.2] three tiers on one conversation: both ledgers equal what the API handed out', () =>
    withConfined(cli, async (host) => {
      const of = project();
      host.api.setScript([
        callBash('true', spent(1)),
        reportBack({ summary: '1' }, spent(2)),
        reportBack({ summary: '2' }, spent(5)),
        reportBack({ summary: '3' }, spent(7)),
      ]);
      const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
      const from = (parentCliSessionId: string) =>
        ({ mode: 'resume', parentCliSessionId }) as const;
      const attempts = [
        await run(host, of, { cliSessionId: ids[0], model: 'haiku' }),
        await run(host, of, {
          ...{ tier: 2, model: 'sonnet', cliSessionId: ids[1] },
          continuation: from(ids[0]),
        }),
        await run(host, of, {
          ...{ tier: 3, model: 'opus', cliSessionId: ids[2] },
          continuation: from(ids[1]),
        }),
      ];
      const lines = attempts.flatMap((attempt, at) => {
        const parent = attempts[at - 1];
        return bookAttempt(attempt.events(), parent ? reportedBy(parent) : null);
      });
      expect(tokensByModel(lines)).toEqual(host.api.reportedTokens());
      for (const { source, claimed, ...line } of lines) {
        expect(source).toBe('metered');
        // The CLI's own figures are the same, so the cost is its own.
        expect(claimed).toMatchObject({
          inputTokens: line.inputTokens,
          outputTokens: line.outputTokens,
          costUsd: line.costUsd,
        });
      }
    }));

  it('[BND-3.2] a killed process and its request in flight', () =>
    withConfined(cli, async (host) => {
      host.api.setScript([callBash('true', spent(1)), hangAfterStart(spent(3))]);
      const attempt = await run(host, project(), {
        limits: { timeoutSeconds: 100, stallSeconds: 5, maxTurns: 9, maxBudgetUsd: null },
      });
      expect(attempt.results[0]?.stopCause).toBe('stalled');
      const metered = attempt.events().filter((event) => event.kind === 'metered');
      expect(metered.map(({ isComplete }) => isComplete)).toEqual([true, false]);
      const lines = bookAttempt(attempt.events(), null);
      expect(tokensByModel(lines)).toEqual(host.api.reportedTokens());
      expect(lines).toMatchObject([{ source: 'partly_estimated', isEstimate: true }]);
    }));

  it('[BND-3.3] an answer that uses up the budget is cut off, and the attempt ends as max_budget', () =>
    withConfined(cli, async (host) => {
      const piece = 'word '.repeat(2_000);
      host.api.setScript([
        saySlowly([piece, piece, piece, piece, piece, piece], async () => {}),
        reportBack({ summary: 'never' }),
      ]);
      const limits = { timeoutSeconds: 100, stallSeconds: 90, maxTurns: 9, maxBudgetUsd: 0.003 };
      const attempt = await run(host, project(), { limits, model: 'haiku' });
      const [result] = attempt.results;
      expect(result?.stopCause).toBe('max_budget');
      expect(host.api.requests).toHaveLength(1);
      const [line] = bookAttempt(attempt.events(), null);
      // At most one piece over.
      expect(line?.costUsd).toBeGreaterThanOrEqual(0.003);
      expect(line?.costUsd).toBeLessThan(0.003 + 2 * 0.001_25);
      const end = classifyAttemptEnd({
        start: attempt.spec.start,
        runner: 'test',
        startError: null,
        exit: result?.exit ?? null,
        stopCause: result?.stopCause ?? null,
        stderrTail: '',
        transcriptSeen: true,
        init: null,
        results: [],
        hasValidReport: false,
        isReportRequired: true,
        rateLimitResetsAt: null,
        rateLimitRetries: 0,
        endedAt: new Date(),
      });
      expect(end.end).toBe('max_budget');
    }));

  it('[BND-3.3] a request after the budget is used up is refused', () =>
    withConfined(cli, async (host) => {
      // Known only at the end of the answer.
      const long = callBash('true', { inputTokens: 10, outputTokens: 50_000 });
      host.api.setScript([long, reportBack({ summary: 'never' })]);
      const limits = { timeoutSeconds: 100, stallSeconds: 90, maxTurns: 9, maxBudgetUsd: 0.01 };
      const attempt = await run(host, project(), { limits });
      expect(attempt.results[0]?.stopCause).toBe('max_budget');
      expect(host.api.requests).toHaveLength(1);
      expect(tokensByModel(bookAttempt(attempt.events(), null))).toEqual(host.api.reportedTokens());
    }));
});
