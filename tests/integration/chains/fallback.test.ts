import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/chains/service/start-chain';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

async function tierOneAsksForHelp(cast: Cast, played: Parameters<typeof play>[2] = {}) {
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, { report: wantsHelp(), costUsd: 0.03, ...played });
  return { chainId, first };
}

const rejected = {
  isSilent: true,
  result: {
    exit: { code: 1, signal: null },
    stderrTail: 'No conversation found with session ID: 0',
    transcriptSeen: false,
  },
};

describe('when a conversation cannot be continued', () => {
  it('[RES-7.2] [RES-7.3] falls back to the handoff once, in the same session, and keeps both costs', async () => {
    const cast = await makeCast();
    const { chainId } = await tierOneAsksForHelp(cast);
    const second = await claimNext(cast.runner);
    expect(second.start.continuation.mode).toBe('resume');
    await play(cast.runner, second, { ...rejected, events: [], contextTokens: 500 });

    const fallback = await claimNext(cast.runner);
    expect(fallback.sessionId).toBe(second.sessionId);
    expect(fallback.start.continuation).toEqual({ mode: 'handoff' });
    expect(fallback.start.systemPrompt).toContain('## Escalation Context');
    expect(fallback.start.cliSessionId).not.toBe(second.start.cliSessionId);
    await play(cast.runner, fallback, { report: { resolved: true }, costUsd: 0.2 });

    const rows = await readChain(cast.alice, chainId);
    const own = rows.attempts.filter((attempt) => attempt.sessionId === second.sessionId);
    expect(own.map((attempt) => [attempt.number, attempt.end])).toEqual([
      [1, 'resume_rejected'],
      [2, 'completed'],
    ]);
    const starts = rows.decisions.filter(
      (row) => row.kind === 'continuation' && row.sessionId === second.sessionId,
    );
    expect(starts.map((row) => [row.verdict, row.reason])).toEqual([
      ['resume', 'OK_RESUME'],
      ['handoff', 'RESUME_REJECTED'],
    ]);
    expect(new Set(rows.ledger.map((entry) => entry.attemptId)).size).toBe(3);
    expect(rows.sessions[1]).toMatchObject({ mechanism: 'handoff', isFallback: true });
    expect(rows.chain.outcome).toBe('fixed');
    expect(rows.events.map((event) => event.code)).toContain('RESUME_REJECTED');
  });

  it('[RES-7.2] a fallback that is rejected too does not loop', async () => {
    const cast = await makeCast();
    const { chainId } = await tierOneAsksForHelp(cast);
    await play(cast.runner, await claimNext(cast.runner), rejected);
    const modes: string[] = [];
    for (const _ of ['fallback', 'its one retry']) {
      const spec = await claimNext(cast.runner);
      modes.push(spec.start.continuation.mode);
      await play(cast.runner, spec, rejected);
    }
    expect(modes).toEqual(['handoff', 'handoff']);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'failed' });
    expect(rows.attempts.filter((attempt) => attempt.status !== 'ended')).toEqual([]);
  });

  it.each([
    { used: 15_000, window: 200_000, mode: 'resume', reason: 'OK_RESUME' },
    { used: 170_000, window: 200_000, mode: 'handoff', reason: 'CONTEXT_PRESSURE' },
    { used: 170_000, window: 1_000_000, mode: 'resume', reason: 'OK_RESUME' },
    { used: 850_000, window: 1_000_000, mode: 'handoff', reason: 'CONTEXT_PRESSURE' },
  ])('[RES-8.1] [RES-8.2] [RES-8.3] $used of $window tokens: $mode', async (row) => {
    const cast = await makeCast();
    const { chainId } = await tierOneAsksForHelp(cast, {
      contextTokens: row.used,
      window: row.window,
    });
    const second = await claimNext(cast.runner);
    expect(second.start.continuation.mode).toBe(row.mode);
    const rows = await readChain(cast.alice, chainId);
    const decision = rows.decisions.find((each) => each.sessionId === second.sessionId);
    expect(decision).toMatchObject({ reason: row.reason });
    expect(decision?.facts).toMatchObject({
      context: { usedTokens: row.used, windowTokens: row.window, threshold: 0.8 },
    });
    expect(rows.events.some((event) => event.code === 'CONTEXT_THRESHOLD')).toBe(true);
  });

  it('[RES-1.3] without a confirmed id the next tier starts from the handoff', async () => {
    const cast = await makeCast();
    const { chainId } = await tierOneAsksForHelp(cast, { result: { transcriptSeen: false } });
    const second = await claimNext(cast.runner);
    expect(second.start.continuation.mode).toBe('handoff');
    const rows = await readChain(cast.alice, chainId);
    expect(
      rows.events.some((event) => event.level === 'warning' && event.code === 'NO_POINTER'),
    ).toBe(true);
  });

  it('[RES-2.3] [RES-7.1] a resumed start carries no handoff and names no file', async () => {
    const cast = await makeCast();
    await tierOneAsksForHelp(cast);
    const second = await claimNext(cast.runner);
    expect(second.start.writesHandoffFile).toBe(false);
    expect(second.start.systemPrompt).not.toContain('Escalation Context');
    expect(second.start.systemPrompt + second.start.prompt).not.toContain('handoff.json');
  });
});
