/** One start policy: what holds work back has one reason, whoever asks. */

import { describe, expect, it } from 'vitest';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { acknowledgeChain } from '@/lib/engine/chains/acknowledge-chain';
import { startChain, startDueChains } from '@/lib/engine/chains/start-chain';
import { pauseOrganization } from '@/lib/identity/organizations/service';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { pauseProject, pauseTier, snoozeService } from '@/lib/projects/pauses';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, type Played, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, refusalOf, saveConfig, startOne } from './support/running';
import { setNextRun } from './support/scheduled-projects';

useTestDatabase();

const HOUR_MS = 3_600_000;
const SCHEDULE = { kind: 'interval', everySeconds: 60, timeZone: 'UTC' } as const;
const none = { chainUsd: null, dayUsd: null, monthUsd: null };

/** Who can ask whether work may start. */
type Asker = 'slot' | 'person' | 'escalation' | 'claim' | 'turn';

interface GateCase {
  code: string;
  because: RegExp;
  /** Closes the gate of a project whose tier 1 has spent one dollar. */
  close(cast: Cast, config: Partial<ProjectConfig>): Promise<unknown>;
  /** What the agent does in tier 1, where the gate needs it. */
  played?: Played;
  config?: Partial<ProjectConfig>;
  askers: readonly Asker[];
}

const soon = () => new Date(Date.now() + HOUR_MS);
const window = (effect: 'no_cycles' | 'observe_only') => ({
  name: 'Patching',
  effect,
  timeZone: 'UTC',
  when: {
    kind: 'once' as const,
    startsAt: new Date(Date.now() - HOUR_MS).toISOString().slice(0, 16),
    endsAt: soon().toISOString().slice(0, 16),
  },
});

const CASES: readonly GateCase[] = [
  {
    code: 'PAUSED',
    because: /Acme .+ is paused by /,
    close: (cast) => pauseOrganization(cast.alice, { reason: '' }),
    askers: ['slot', 'person', 'escalation', 'claim', 'turn'],
  },
  {
    code: 'PAUSED',
    because: /Checkout is paused by /,
    close: (cast) => pauseProject(cast.alice, cast.projectSlug, { reason: '' }),
    askers: ['slot', 'person', 'escalation', 'claim', 'turn'],
  },
  {
    code: 'PAUSED',
    because: /[Tt]ier 2 of Checkout is paused by /,
    close: (cast) => pauseTier(cast.alice, { project: cast.projectSlug, tier: 2 }, { reason: '' }),
    askers: ['escalation', 'claim'],
  },
  {
    code: 'MAINTENANCE',
    because: /[Tt]he maintenance window “Patching” is open until /,
    close: (cast, config) => saveConfig(cast, { ...config, maintenance: [window('no_cycles')] }),
    askers: ['slot', 'person', 'escalation', 'claim'],
  },
  {
    code: 'SNOOZED',
    because: /web is snoozed/,
    close: (cast) =>
      snoozeService(
        cast.alice,
        { project: cast.projectSlug, name: 'web' },
        { reason: '', until: soon() },
      ),
    askers: ['escalation', 'claim'],
  },
  {
    code: 'MAX_TIER',
    because:
      /[Tt]ier 2 is above the maximum for Checkout, which is tier 1|the maximum for Checkout is tier 1/,
    close: (cast, config) => saveConfig(cast, { ...config, maxTier: 1 }),
    askers: ['escalation', 'claim'],
  },
  {
    code: 'DRY_RUN',
    because: /dry run/,
    close: (cast, config) => saveConfig(cast, { ...config, dryRun: true }),
    askers: ['escalation', 'claim'],
  },
  {
    code: 'BUDGET',
    because: /Checkout reached today's budget of \$0\.50/,
    close: (cast, config) => saveConfig(cast, { ...config, budgets: { ...none, dayUsd: 0.5 } }),
    askers: ['slot', 'person', 'escalation', 'claim', 'turn'],
  },
  {
    code: 'NO_POOL',
    because: /[Tt]here is no runner pool named nowhere/,
    close: (cast, config) => closePool(cast, config),
    askers: ['slot', 'person', 'turn'],
  },
  {
    code: 'COOLDOWN',
    because: /web was restarted once in the last 4h/,
    close: (cast, config) =>
      saveConfig(cast, {
        ...config,
        cooldowns: [{ action: 'restart', limit: 1, windowSeconds: 14_400 }],
      }),
    played: { events: command('docker restart web') },
    config: { cooldowns: [] },
    askers: ['escalation', 'claim'],
  },
];

/** A pool is made with the version that names it, so it is taken away again. */
async function closePool(cast: Cast, config: Partial<ProjectConfig>): Promise<void> {
  await saveConfig(cast, { ...config, runnerPool: 'nowhere' });
  await inTransaction(cast.alice, (db) => db.runnerPool.deleteMany({ where: { name: 'nowhere' } }));
}

const rows = CASES.flatMap((gate) => gate.askers.map((asker) => [gate.code, asker, gate] as const));

describe('[ENG-1.3] a closed gate gives the same reason to everyone', () => {
  it.each(rows)('%s to the %s: %#', async (code, asker, gate) => {
    const config = { schedule: SCHEDULE, ...gate.config };
    const cast = await makeCast(config);
    const said = await ASK[asker](cast, gate, config);
    expect(said.text).toMatch(gate.because);
    if (said.code !== null) expect(said.code).toBe(code);
  });

  it('CHAIN_RUNNING to the slot and the person', async () => {
    const cast = await makeCast({ schedule: SCHEDULE });
    await startOne(cast);
    await expect(startOne(cast)).rejects.toThrow('Chain #1 is still running.');
    await setNextRun(cast.alice, cast.projectId, new Date());
    await startDueChains(new Date(Date.now() + 1_000));
    const skipped = await newestChain(cast);
    expect(skipped).toMatchObject({ outcome: 'skipped', outcomeReason: 'CHAIN_RUNNING' });
    expect(skipped.statusText).toContain('Chain #1 is still running');
  });

  it('ACKNOWLEDGED to the escalation and the claim', async () => {
    const cast = await makeCast();
    const chainId = await startOne(cast);
    const failed = { exit: { code: null, signal: 'SIGSEGV' } } as const;
    for (const _try of [1, 2]) {
      await play(cast.runner, await claimNext(cast.runner), { isSilent: true, result: failed });
    }
    const first = await readChain(cast.alice, chainId);
    expect(first.chain.status).toBe('ended');
    const queued = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await inTransaction(cast.alice, (db) =>
      db.chain.updateMany({ where: { id: chainId }, data: { servicesAffected: ['web'] } }),
    );
    await acknowledgeChain(cast.alice, encodeId('chn', chainId), { note: 'on it' });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    const held = await readChain(cast.alice, queued);
    expect(held.chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'ACKNOWLEDGED' });
    const next = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    const said = await readChain(cast.alice, next);
    expect(said.chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'ACKNOWLEDGED' });
    for (const { chain } of [held, said]) {
      expect(chain.statusText).toContain(
        `${cast.alice.actor.label} has acknowledged web since Chain #1`,
      );
    }
  });
});

interface Said {
  /** Null where only a sentence is given. */
  code: string | null;
  text: string;
}

const ASK: Record<
  Asker,
  (cast: Cast, gate: GateCase, config: Partial<ProjectConfig>) => Promise<Said>
> = {
  async slot(cast, gate, config) {
    await spendOneDollar(cast);
    await gate.close(cast, config);
    await setNextRun(cast.alice, cast.projectId, new Date());
    await startDueChains(new Date(Date.now() + 1_000));
    const chain = await newestChain(cast);
    if (chain.number > 1) return { code: chain.outcomeReason, text: chain.statusText };
    // Nothing is written for a pause; a window says so once, in the feed.
    const events = await inTransaction(cast.alice, (db) =>
      db.projectEvent.findMany({ where: { code: 'MAINTENANCE' } }),
    );
    if (events[0]) return { code: events[0].code, text: events[0].message };
    return { code: null, text: await refusedText(startOne(cast)) };
  },
  async person(cast, gate, config) {
    await spendOneDollar(cast);
    await gate.close(cast, config);
    const refused = startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
    return { code: null, text: await refusedText(refused) };
  },
  async escalation(cast, gate, config) {
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    await gate.close(cast, config);
    await play(cast.runner, spec, { ...gate.played, report: wantsHelp(), costUsd: 1 });
    const { chain } = await readChain(cast.alice, chainId);
    return { code: chain.outcomeReason, text: chain.statusText };
  },
  async claim(cast, gate, config) {
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    await play(cast.runner, spec, { ...gate.played, report: wantsHelp(), costUsd: 1 });
    await gate.close(cast, config);
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    const { chain, events } = await readChain(cast.alice, chainId);
    const code = chain.outcomeReason ?? events.at(-1)?.code ?? null;
    return { code, text: chain.statusText };
  },
  async turn(cast, gate, config) {
    await spendOneDollar(cast);
    await gate.close(cast, config);
    const asked = startConversation(cast.alice, {
      project: cast.projectSlug,
      message: 'Is web well?',
      forceFresh: false,
    });
    return { code: null, text: await refusedText(asked) };
  },
};

async function spendOneDollar(cast: Cast): Promise<void> {
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { costUsd: 1 });
}

async function refusedText(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
}

function newestChain(cast: Cast) {
  return inTransaction(cast.alice, (db) =>
    db.chain.findFirstOrThrow({ orderBy: { number: 'desc' } }),
  );
}
