/** What a confined agent costs, as the runner's gateway counts it, against what the API handed out. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import { bookAttempt } from '@/lib/agents/claude/usage';
import { estimateCost } from '@/lib/agents/prices';
import type { StartSpec } from '@/lib/protocol/spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import type { RecordedRequest } from '../../support/messages-api/recorded-request';
import {
  callBash,
  callTool,
  hangAfterStart,
  type MessageReply,
  reportBack,
  say,
  saySlowly,
} from '../../support/messages-api/reply';
import { spent, tokensByModel } from '../support/tokens';
import {
  answersOf,
  type ConfinedHost,
  confinedStart,
  describeConfined,
  PATIENCE_MS,
  report,
  withConfined,
} from './support';

const reportedBy = (attempt: StoredAttempt) => ({
  reported: attempt.events().findLast((event) => event.kind === 'result')?.modelUsage ?? null,
});

/** Pays for the first request of both CLIs, and for a short answer. */
const BUDGET_USD = 0.03;
const LIMITS = { timeoutSeconds: 100, stallSeconds: 90, maxTurns: 9, maxBudgetUsd: BUDGET_USD };

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
        // More than the request allows, which no provider does.
        saySlowly(
          Array<string>(40).fill(piece),
          // Each in a piece of its own.
          () => new Promise((resolve) => setTimeout(resolve, 20)),
        ),
        reportBack({ summary: 'never' }),
      ]);
      const attempt = await run(host, project(), { limits: LIMITS, model: 'haiku' });
      const [result] = attempt.results;
      expect(result?.stopCause).toBe('max_budget');
      expect(host.api.requests).toHaveLength(1);
      const [line] = bookAttempt(attempt.events(), null);
      // At most one piece over.
      expect(line?.costUsd).toBeGreaterThanOrEqual(BUDGET_USD);
      expect(line?.costUsd).toBeLessThan(BUDGET_USD + 2 * 0.012_5);
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
      const long = callBash('true', { inputTokens: 10, outputTokens: 100_000 });
      host.api.setScript([long, reportBack({ summary: 'never' })]);
      const attempt = await run(host, project(), { limits: LIMITS });
      expect(attempt.results[0]?.stopCause).toBe('max_budget');
      expect(host.api.requests).toHaveLength(1);
      expect(tokensByModel(bookAttempt(attempt.events(), null))).toEqual(host.api.reportedTokens());
    }));

  it('[HLD-2.1] near the end of the budget: shorter answers, which the agent continues', () =>
    withConfined(cli, async (host) => {
      const few = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const cutOff: MessageReply = { ...say('I begin', few), stopReason: 'max_tokens' };
      host.api.setScript([cutOff, callBash('true', few), reportBack({ summary: 'done' }, few)]);
      const attempt = await run(host, project(), { limits: LIMITS });
      expect(attempt.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
      const asked = host.api.requests.map(({ body }) => body as Record<string, unknown>);
      expect(asked).toHaveLength(3);
      for (const { max_tokens, thinking } of asked) {
        expect(max_tokens).toBeGreaterThanOrEqual(2_048);
        // As much as the input leaves, at $5 or $0.50 for a million tokens.
        expect(max_tokens).toBeLessThan(BUDGET_USD / 0.5e-6);
        const { budget_tokens = 0 } = (thinking ?? {}) as { budget_tokens?: number };
        expect(budget_tokens).toBeLessThan(Number(max_tokens));
      }
      expect(tokensByModel(bookAttempt(attempt.events(), null))).toEqual(host.api.reportedTokens());
    }));

  it.each(['true', 'false'])(
    '[HLD-2.1] 40 requests at once that the agent makes itself spend the budget at most (streamed: %s)',
    (stream) =>
      withConfined(cli, async (host) => {
        let charged = 0;
        host.api.setScript(async ({ body, tools }) => {
          const few = {
            inputTokens: 10,
            outputTokens: 10,
            cacheReadTokens: 0,
            cacheWriteTokens: 0,
          };
          if (tools.includes('Bash')) {
            return charged === 0
              ? callBash(parallel(stream), few)
              : reportBack({ summary: 'x' }, few);
          }
          // As much as it may charge.
          await new Promise((resolve) => setTimeout(resolve, 100));
          charged += 1;
          const cacheWriteTokens = Math.ceil(JSON.stringify(body.messages).length / 4);
          const outputTokens = Number((body as Record<string, unknown>).max_tokens);
          return say('x', { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens, outputTokens });
        });
        const attempt = await run(host, project(), { limits: { ...LIMITS, maxBudgetUsd: 0.5 } });
        expect(attempt.results[0]?.stopCause).toBe('max_budget');
        expect(charged).toBeGreaterThan(0);
        const spentUsd = host.api
          .charged()
          .reduce((sum, { model, usage }) => sum + estimateCost(CLAUDE_PRICES, model, usage), 0);
        expect(spentUsd).toBeLessThanOrEqual(0.5);
        expect(spentUsd).toBeGreaterThan(0.4);
        expect(tokensByModel(bookAttempt(attempt.events(), null))).toEqual(
          host.api.reportedTokens(),
        );
      }),
  );

  it('[HLD-2.2] what the tier doesn’t have is refused, and the session’s log says so', () =>
    withConfined(cli, async (host) => {
      const bodies = [
        { model: 'claude-opus-5' },
        { tools: [{ type: 'advisor_20260301', model: 'claude-opus-5' }] },
        { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file' } }] }] },
      ];
      const post = (body: object, ...headers: string[]) =>
        [
          'curl -sS -w " %{http_code}" http://127.0.0.1:8400/v1/messages',
          ...["-H 'content-type: application/json'", ...headers],
          `-d '${JSON.stringify({ model: 'claude-haiku-5', max_tokens: 9, messages: [], ...body })}'`,
        ].join(' ');
      host.api.setScript(({ index, tools }) => {
        if (!tools.includes('Bash')) return say('forwarded');
        const next = [...bodies.map((body) => post(body)), post({ speed: 'fast' }, FAST)][index];
        return next === undefined ? report : callBash(next);
      });
      const attempt = await run(host, project(), { limits: { ...LIMITS, maxBudgetUsd: null } });
      const answers = answersOf(attempt);
      for (const answer of answers.slice(0, 3)) expect(answer).toMatch(/tierwatch: .* 403$/);
      expect(answers[3]).toMatch(/forwarded.* 200$/);
      const [own] = host.api.requests.filter(({ tools }) => !tools.includes('Bash'));
      expect(own?.headers).not.toHaveProperty('anthropic-beta');
      expect(own?.body).not.toHaveProperty('speed');
      const said = attempt
        .events()
        .flatMap((event) =>
          event.kind === 'notice' && event.code === 'MODEL_REQUEST_REFUSED' ? [event.message] : [],
        );
      expect(said).toEqual([
        expect.stringContaining('claude-opus-5'),
        expect.stringContaining('advisor_20260301'),
        expect.stringContaining('file'),
        expect.stringContaining('speed'),
        expect.stringContaining('fast-mode-2026-02-01'),
      ]);
    }));

  it('[HLD-2.2] nothing of what the CLI itself sends is refused or removed', () =>
    withConfined(cli, async (host) => {
      const tools = [
        'Bash',
        'Read',
        'Edit',
        'Write',
        'Grep',
        'Glob',
        'WebSearch',
        'WebFetch',
        'Task',
      ];
      const agent = { description: 'x', prompt: 'say hi', subagent_type: 'Explore' };
      for (const model of ['haiku', 'sonnet', 'sonnet[1m]', 'opus', 'fable']) {
        const of = project();
        const ids = [randomUUID(), randomUUID()] as const;
        const isMain = ({ tools: offered }: RecordedRequest) =>
          offered.includes('StructuredOutput');
        host.api.setScript((request) => {
          if (!isMain(request)) return say('hi');
          const results = JSON.stringify(request.body.messages).split('"tool_result"').length - 1;
          return (
            [callTool('WebSearch', { query: 'x' }), callTool('Agent', agent), report][results] ??
            report
          );
        });
        const changes = { model, tools, allowedRules: tools };
        const attempts = [await run(host, of, { ...changes, cliSessionId: ids[0] })];
        // What makes a turn differ from a tier is the same for every model.
        if (model === 'opus') {
          host.api.setScript([say('It was down.')]);
          const turn = await run(host, of, {
            ...{ ...changes, purpose: 'ask', reportSchema: null, cliSessionId: ids[1] },
            continuation: { mode: 'resume', parentCliSessionId: ids[0] },
          });
          attempts.push(turn);
        }
        for (const attempt of attempts) {
          expect(attempt.results[0], model).toMatchObject({ stopCause: null, exit: { code: 0 } });
          const codes = attempt
            .events()
            .flatMap((event) => (event.kind === 'notice' ? [event.code] : []));
          expect(codes, model).not.toContain('MODEL_REQUEST_REFUSED');
        }
      }
    }));
});

/** In the form that an agent made them. */
const parallel = (stream: string) =>
  `for i in $(seq 40); do curl -sS -X POST http://127.0.0.1:8400/v1/messages -H 'content-type: application/json' -d '{"model":"claude-haiku-4-5","stream":${stream},"max_tokens":64000,"messages":[{"role":"user","content":"hi"}]}' & done; wait`;

const FAST = "-H 'anthropic-beta: fast-mode-2026-02-01'";
