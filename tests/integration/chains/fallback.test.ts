import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { checked, claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

async function tierOneAsksForHelp(cast: Cast, played: Parameters<typeof play>[2] = {}) {
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, {
    report: wantsHelp(),
    events: [checked('web', 'down')],
    costUsd: 0.03,
    ...played,
  });
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

  describe('[ENG-5.3] the next tier reads what the tier before it found', () => {
    const found = {
      ...wantsHelp(),
      summary: 'web is down since 11:52.',
      services_checked: [
        { name: 'web', status: 'down' as const, detail: 'The log ends with EADDRINUSE.' },
        { name: 'db', status: 'unknown' as const, detail: 'Its log is not readable.' },
      ],
      findings: [
        { service: 'web', severity: 'critical' as const, message: 'Port 80 is taken by caddy.' },
        { severity: 'info' as const, message: 'A certificate expires in 9 days.' },
      ],
      escalation: { wanted: true, reason: 'A restart could free the port.', services: ['web'] },
    };
    const measured = {
      kind: 'check_result' as const,
      service: 'web',
      type: 'http',
      target: 'http://127.0.0.1:9/health',
      status: 'down' as const,
      error: 'connection refused',
      responseTimeMs: null,
    };
    const expected = [
      'web is down since 11:52.',
      'Port 80 is taken by caddy.',
      'A certificate expires in 9 days.',
      'A restart could free the port.',
      'connection refused',
      'The log ends with EADDRINUSE.',
      'Its log is not readable.',
    ];
    const written = JSON.stringify({
      schema_version: 1,
      recommended_tier: 2,
      services_affected: ['web'],
      check_results: [
        { service: 'web', check_type: 'http', status: 'down', error: 'connection refused' },
      ],
      cooldown_state: {},
    });

    it.each([
      ['built', { state: 'absent' }],
      ['file', { state: 'read', content: written }],
    ] as const)('in a handoff of source %s', async (source, handoffFile) => {
      const cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } });
      const { chainId } = await tierOneAsksForHelp(cast, {
        report: found,
        events: [measured],
        result: { handoffFile },
      });
      const { systemPrompt } = (await claimNext(cast.runner)).start;
      const context = /```json\n([\s\S]*?)\n```/.exec(systemPrompt)?.[1] ?? '';
      for (const text of expected) expect(context).toContain(text);
      const { handoffs } = await readChain(cast.alice, chainId);
      expect(handoffs).toMatchObject([
        { source, payload: { summary: found.summary, findings: { length: 3 } } },
      ]);
      expect(JSON.parse(context)).toEqual(handoffs[0]?.payload);
    });

    it('and tier 3 what tier 1 reported as well', async () => {
      const cast = await makeCast({ continuation: { tier1To2: 'resume', tier2To3: 'handoff' } });
      await tierOneAsksForHelp(cast, { report: found, events: [measured] });
      const own = { ...wantsHelp(), summary: 'The restart did not help.' };
      await play(cast.runner, await claimNext(cast.runner), { report: own });
      const third = await claimNext(cast.runner);
      expect(third.start).toMatchObject({ tier: 3, continuation: { mode: 'handoff' } });
      for (const text of [...expected, own.summary]) {
        expect(third.start.systemPrompt).toContain(text);
      }
    });

    it('or only what there is, from a handoff stored before there was more', async () => {
      const cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } });
      await tierOneAsksForHelp(cast, { report: found });
      await inTransaction(cast.alice, (db) =>
        db.handoff.updateMany({ data: { payload: JSON.parse(written) } }),
      );
      const { systemPrompt } = (await claimNext(cast.runner)).start;
      expect(systemPrompt).toContain('connection refused');
      expect(systemPrompt).not.toContain(found.summary);
    });
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
