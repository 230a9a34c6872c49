import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import type { ProjectConfig } from '@/lib/projects/schema';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf, startOne } from './support/running';

useTestDatabase();

const none = { chainUsd: null, dayUsd: null, monthUsd: null };

async function tierOneSpends(budgets: ProjectConfig['budgets'], costUsd: number) {
  const cast = await makeCast({ budgets });
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp(), costUsd });
  return { cast, rows: await readChain(cast.alice, chainId) };
}

describe('a budget', () => {
  it.each([
    ['chain', { ...none, chainUsd: 0.5 }],
    ['day', { ...none, dayUsd: 0.5 }],
    ['month', { ...none, monthUsd: 0.5 }],
  ])('[HND-6.2] of the %s that is used up calls a human at the hop', async (_name, budgets) => {
    const { rows } = await tierOneSpends(budgets, 0.5);
    expect(rows.chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'BUDGET' });
    expect(rows.sessions).toHaveLength(1);
    const codes = rows.events.map((event) => [event.code, event.sessionId]);
    expect(codes).toContainEqual(['BUDGET', rows.sessions[0]?.id]);
    expect(codes).toContainEqual(['BUDGET_REACHED', rows.sessions[0]?.id]);
  });

  it.each([
    ['chain', { ...none, chainUsd: 0.5 }, 0.01],
    ['day', { ...none, dayUsd: 0.5 }, 0.01],
    ['the least of all', { chainUsd: 0.7, dayUsd: 0.55, monthUsd: 0.6 }, 0.06],
  ])('hands the next tier no more than the rest: %s', async (_name, budgets, rest) => {
    const { cast } = await tierOneSpends(budgets, 0.49);
    const next = await claimNext(cast.runner);
    expect(next.start.limits.maxBudgetUsd).toBeCloseTo(rest, 6);
  });

  it('is handed out as what the tier may spend where that is less', async () => {
    const { cast } = await tierOneSpends({ ...none, monthUsd: 1_000 }, 0.01);
    expect((await claimNext(cast.runner)).start.limits.maxBudgetUsd).toBe(5);
  });

  it('[ENG-1.3] starts no second try of what used it up', async () => {
    const cast = await makeCast({ budgets: { ...none, dayUsd: 0.0005 } });
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      result: { exit: { code: null, signal: 'SIGSEGV' } },
    });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    const { chain } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'BUDGET' });
  });

  it.each([
    ['day', { ...none, dayUsd: 0.7 }],
    ['month', { ...none, monthUsd: 0.7 }],
  ])('of the %s counts every chain, of the same tier and model too', async (_name, budgets) => {
    const noon = new Date('2026-11-21T12:00:00Z');
    const cast = await makeCast({ budgets }, noon);
    for (const costUsd of [0.3, 0.2]) {
      await startOne(cast, noon);
      await play(cast.runner, await claimNext(cast.runner, noon), { costUsd }, noon);
    }
    const chainId = await startOne(cast, noon);
    const { start } = await claimNext(cast.runner, noon);
    expect(start.limits.maxBudgetUsd).toBeCloseTo(0.2, 6);
    const { usage } = await readChain(cast.alice, chainId);
    expect(usage.map(({ costMicros }) => Number(costMicros))).toEqual([500_000]);
  });

  it('warns once when 80 % are spent', async () => {
    const { cast, rows } = await tierOneSpends({ ...none, dayUsd: 1 }, 0.85);
    const warnings = rows.events.filter((event) => event.code === 'BUDGET_WARNING');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      level: 'warning',
      message:
        "Checkout has spent $0.85 of today's budget of $1.00. At the limit, nothing else starts.",
    });
    await play(cast.runner, await claimNext(cast.runner), {
      report: { resolved: true },
      costUsd: 0.05,
    });
    const later = await readChain(cast.alice, rows.chain.id);
    expect(later.events.filter((event) => event.code === 'BUDGET_WARNING')).toHaveLength(1);
  });

  it('below 80 % says nothing', async () => {
    const { rows } = await tierOneSpends({ ...none, dayUsd: 1 }, 0.79);
    expect(rows.events.filter((event) => event.code.startsWith('BUDGET'))).toEqual([]);
  });

  it('of the day that is used up refuses a manual start with the reason', async () => {
    const { cast } = await tierOneSpends({ ...none, dayUsd: 0.5 }, 0.6);
    const again = startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
    await expect(again).rejects.toThrow("Checkout reached today's budget of $0.50.");
    expect(await refusalOf(again)).toBe('precondition_failed');
  });
});
