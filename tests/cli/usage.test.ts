import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type BookedLine, lastContextTokens } from '@/lib/agents/booking';
import { requestInFlight } from '@/lib/agents/claude/in-flight';
import { bookAttempt } from '@/lib/agents/claude/usage';
import { belongingTo } from '@/workers/runner/process/attempt-processes';
import { listProcesses } from '@/workers/runner/process/process-table';
import { eventually } from '../bootstrap/eventually';
import type { ReplyUsage } from '../support/messages-api/reply';
import { callBash, hangAfterStart, reportBack } from '../support/messages-api/reply';
import { resumeOf, tierStart } from './support/cli-host';
import { describeEachCli } from './support/describe-cli';
import type { CliRun, StartedCli } from './support/run-cli';
import { spent, tokensByModel, tokensSince } from './support/tokens';

/**
 * Leaves out what the ledger adds for a request that the CLI may have sent as it ended, because it had printed
 * the result of a call; the API never answered that.
 */
function withoutUnanswered(lines: BookedLine[], { events }: CliRun): Record<string, ReplyUsage> {
  const inFlight = requestInFlight(events, null);
  if (inFlight?.kind !== 'unanswered') return tokensByModel(lines);
  const { model, tokens } = inFlight;
  expect(lines.some((line) => line.model === model && line.isEstimate)).toBe(true);
  const minus = Object.fromEntries(Object.entries(tokens).map(([name, count]) => [name, -count]));
  const [line] = lines;
  return tokensByModel(line ? [...lines, { ...line, ...minus, model }] : lines);
}

const reportedBy = (run: CliRun) => ({ reported: run.results.at(-1)?.modelUsage ?? null });
const usd = (lines: BookedLine[]) => lines.reduce((sum, line) => sum + line.costUsd, 0);

/** The process waits for its second answer, or runs the command which that answer called. */
async function midway(cli: StartedCli, where: 'in a request' | 'in a command') {
  const begun = new Set<string>();
  await cli.waitForEvent((event) => {
    if (event.kind !== 'request_usage') return false;
    if (where === 'in a request' || event.final) begun.add(event.messageId);
    return begun.size === 2;
  });
  // Before it runs, the CLI may still answer the call itself, and send that on.
  if (where === 'in a command') await eventually('the command runs', () => runsSleep(cli));
}

function runsSleep({ child }: StartedCli): boolean {
  return belongingTo(new Set([child.pid ?? 0]), listProcesses()).some(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === 'sleep\x0060\0';
    } catch {
      return false;
    }
  });
}

describeEachCli('tokens and cost', (withBench, { version }) => {
  it('[RES-5.3] [RES-8.1] [RES-8.2] three tiers on one conversation are booked net, token for token; the context is the last request’s, and the window the CLI’s own', () =>
    withBench([], async ({ api, run }) => {
      const one = tierStart(1);
      const two = tierStart(2, { continuation: resumeOf(one) });
      const three = tierStart(3, { continuation: resumeOf(two) });
      api.setScript([
        callBash('docker ps', spent(1)),
        reportBack({ summary: '1' }, spent(2)),
        reportBack({ summary: '2' }, spent(5)),
        reportBack({ summary: '3' }, spent(7)),
      ]);
      const [first, second, third] = [await run(one), await run(two), await run(three)];
      const lines = [
        bookAttempt(first.events, null),
        bookAttempt(second.events, reportedBy(first)),
        bookAttempt(third.events, reportedBy(second)),
      ];
      expect(
        lines.map((attempt) => attempt.map((line) => [line.inputTokens, line.isEstimate])),
      ).toEqual([[[3_000, false]], [[5_000, false]], [[7_000, false]]]);
      expect(tokensByModel(lines.flat())).toEqual(api.reportedTokens());
      // What the CLI itself says: the last total, or the sum, by version.
      const told = [first, second, third].map((run) => run.results.at(-1)?.totalCostUsd ?? 0);
      const total = version === '2.1.197' ? told.reduce((sum, cost) => sum + cost) : told.at(-1);
      expect(usd(lines.flat())).toBeCloseTo(total ?? 0, 9);

      expect(lastContextTokens(first.events)).toBe(26_200);
      const usage = Object.values(first.results.at(-1)?.modelUsage ?? {});
      const window = version === '2.1.197' ? 200_000 : 1_000_000;
      expect(usage.map(({ contextWindow }) => contextWindow)).toEqual([window]);
    }));

  it('[RES-5.3] and on one model, where the difference shows in one figure only', () =>
    withBench([], async ({ api, run }) => {
      const one = tierStart(1);
      const two = tierStart(2, { model: 'haiku', continuation: resumeOf(one) });
      api.setScript([
        reportBack({ summary: '1' }, spent(3)),
        reportBack({ summary: '2' }, spent(1)),
      ]);
      const first = await run(one);
      const second = await run(two);
      const booked = bookAttempt(second.events, reportedBy(first));
      expect(booked).toMatchObject([{ inputTokens: 1_000, outputTokens: 100, isEstimate: false }]);
      const raw = Object.values(second.results.at(-1)?.modelUsage ?? {}).map(
        (total) => total.inputTokens,
      );
      expect(raw).toEqual([version === '2.1.197' ? 1_000 : 4_000]);
    }));

  it('[RES-5.4] [RES-7.3] a rejected resume books nothing, and its fallback itself', () =>
    withBench([], async ({ api, run }) => {
      const one = tierStart(1);
      const rejected = await run(tierStart(2, { continuation: resumeOf(one) }));
      api.setScript([reportBack({ summary: '2' }, spent(4))]);
      const fallback = await run(tierStart(2, { continuation: { mode: 'handoff' } }));
      const lines = [
        ...bookAttempt(rejected.events, { reported: null }),
        ...bookAttempt(fallback.events, null),
      ];
      expect(tokensByModel(lines)).toEqual(api.reportedTokens());
    }));

  it('[RES-5.4] killed attempts and those that continue them, by each signal, in a request and in a command', () =>
    withBench([], async ({ api, run, start }) => {
      api.setScript([reportBack({ summary: '1' }, spent(1))]);
      let last = tierStart(1);
      let lastRun = await run(last);
      const inRequest = hangAfterStart(spent(3));
      const inCommand = callBash('sleep 60', spent(3));
      for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM'] as const) {
        for (const where of ['in a request', 'in a command'] as const) {
          const before = api.reportedTokens();
          const second = where === 'in a command' ? inCommand : inRequest;
          api.setScript([callBash('docker ps', spent(2)), second]);
          const next = tierStart(2, { continuation: resumeOf(last) });
          const killing = await start(next);
          await midway(killing, where);
          killing.child.kill(signal);
          const killed = await killing.ended;
          const lines = bookAttempt(killed.events, reportedBy(lastRun));
          const reported = tokensSince(before, api.reportedTokens());
          expect(withoutUnanswered(lines, killed), `${signal} ${where}`).toEqual(reported);
          [last, lastRun] = [next, killed];
        }
      }
      const before = api.reportedTokens();
      api.setScript([reportBack({ summary: '3' }, spent(5))]);
      const end = await run(tierStart(2, { continuation: resumeOf(last) }));
      expect(end.results.at(-1)).toMatchObject({ structuredOutput: { summary: '3' } });
      const booked = tokensByModel(bookAttempt(end.events, reportedBy(lastRun)));
      expect(booked).toEqual(tokensSince(before, api.reportedTokens()));
    }));
});
