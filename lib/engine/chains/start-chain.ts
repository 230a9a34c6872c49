import { poolQueue } from '@/lib/fleet/queues';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { findPerson } from '@/lib/identity/members/person-rows';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { enqueueAttempt, enqueueAttempts } from '@/lib/platform/queue/enqueue';
import { openWindow } from '@/lib/projects/maintenance/window';
import { requireProject } from '@/lib/projects/manage-project';
import { findPool, getConfig, getProjectRow, listTierPauses } from '@/lib/projects/project-rows';
import type { Tier } from '@/lib/protocol/spec';
import { pausesOf } from '../attempt/holds';
import { budgetFacts } from '../budget';
import { getSpending } from '../ledger-data';
import { closedGate } from '../start-policy/closed-gate';
import { NOTHING_HOLDS } from '../start-policy/facts';
import { refusalText, StartRefusedError } from '../start-policy/gate';
import type { ChainTrigger } from '../statuses';
import { findLiveChain } from './chain-rows';
import { createChain, lockProject, setSignals } from './data';
import { listDueProjects, startDueSlots } from './due-slots-data';
import { newChain } from './new-chain';

interface StartChainInput {
  projectId: string;
  trigger: Exclude<ChainTrigger, 'schedule'>;
  /** Tiers above 1 need the admin role and can't exceed the project's maximum. */
  tier?: Tier;
  /** A text of the operator, put before the tier's prompt. */
  prompt?: string | null;
  /** UUIDs of alerts whose text the first session reads, framed as data. */
  signalIds?: readonly string[];
  forceFresh?: boolean;
  dryRun?: boolean;
  /** Called first in the transaction, for locks that come before the project's. */
  onBegin?(db: TenantDb): Promise<void>;
  /** Called in the transaction that creates it, with its UUID. */
  onCreated?(db: TenantDb, chainId: string): Promise<void>;
}

/**
 * Starts a chain now.
 *
 * @returns UUID and number of the new chain
 * @throws ConflictError with the live chain's id while one runs
 * @throws StartRefusedError while another gate is closed
 */
export async function startChain(
  scope: TenantScope,
  input: StartChainInput,
  now = new Date(),
): Promise<{ chainId: string; number: number }> {
  requireMay(scope, (input.tier ?? 1) > 1 ? 'chain.run_above_tier_1' : 'chain.run');
  const started = await inTransaction(scope, async (db) => {
    await input.onBegin?.(db);
    await lockProject(db, input.projectId);
    const project = await getProjectRow(db, input.projectId);
    const organization = await db.organization.findFirstOrThrow({});
    const config = await getConfig(db, project.id, project.currentVersion);
    const tier = input.tier ?? 1;
    const pool = await findPool(db, scope.organizationId, config.runnerPool);
    const live = await findLiveChain(db, project.id);
    const spending = await getSpending(db, project.id, null, now);
    const tierPauses = await listTierPauses(db, project.id);
    const gate = closedGate(
      {
        ...NOTHING_HOLDS,
        tier,
        projectName: project.name,
        pauses: pausesOf({
          organization,
          project,
          tierPauses: tierPauses.map(({ tier, pausedBy, pausedAt }) => {
            return { tier, by: pausedBy, since: pausedAt };
          }),
        }),
        maintenance: openWindow(config.maintenance, now),
        maxTier: config.maxTier,
        enabledTiers: config.tiers.flatMap((each) => (each.isEnabled ? each.tier : [])),
        isDryRun: config.dryRun || input.dryRun === true || env().isDryRunForced,
        liveChain: live?.number ?? null,
        budgets: budgetFacts(spending, { ...config.budgets, chainUsd: null }),
        missingPool: pool ? null : config.runnerPool,
      },
      now,
    );
    if (gate?.code === 'CHAIN_RUNNING' && live) {
      const about = { chainId: encodeId('chn', live.id), number: live.number };
      throw new ConflictError(refusalText(gate), about);
    }
    if (gate) throw new StartRefusedError(gate);
    const model = config.tiers[tier - 1]?.model;
    if (!pool || !model) throw new Error('A missing pool or tier closes its gate.');
    const chain = newChain({
      organizationId: scope.organizationId,
      projectId: project.id,
      trigger: input.trigger,
      requestedBy: scope.actor.label,
      requestedPerson: (await findPerson(db, scope))?.email ?? null,
      projectVersion: project.currentVersion,
      startTier: tier,
      isDryRun: input.dryRun ?? false,
      isForceFresh: input.forceFresh ?? false,
      prompt: input.prompt ?? null,
      model,
      poolId: pool.id,
    });
    const created = await createChain(db, chain, now);
    if (!created) throw new Error('The chain was not created.');
    if (input.signalIds?.length) await setSignals(db, created.id, input.signalIds);
    await input.onCreated?.(db, created.id);
    await recordAudit(db, scope, {
      action: 'chain.started',
      target: encodeId('chn', created.id),
      projectId: project.id,
      detail: { number: created.number, trigger: input.trigger, tier },
    });
    return { created, attemptId: chain.attemptId, poolId: pool.id };
  });
  await enqueueAttempt(poolQueue(started.poolId), started.attemptId);
  return { chainId: started.created.id, number: started.created.number };
}

/**
 * Starts a chain of a project, by the project's id or slug.
 *
 * @returns `chn_…`
 * @throws ConflictError with the live chain's id while one runs
 */
export async function runChain(
  scope: TenantScope,
  project: string,
  input: Omit<StartChainInput, 'projectId' | 'trigger' | 'signalIds' | 'onBegin' | 'onCreated'>,
): Promise<string> {
  const { id } = await inTransaction(scope, (db) => requireProject(db, project));
  const trigger = scope.actor.kind === 'user' ? 'manual' : 'api';
  const { chainId } = await startChain(scope, { ...input, projectId: id, trigger });
  return encodeId('chn', chainId);
}

/**
 * Enough for few round trips, and few enough that an overloaded machine writes a batch within the
 * limit of a transaction.
 */
export const DUE_BATCH = 500;

/**
 * How many due projects are listed at once: few enough that a project that becomes due meanwhile
 * starts within a second.
 */
const LISTED = 4 * DUE_BATCH;

/** While one batch is written, others are planned or enqueued. */
const BATCHES_AT_ONCE = 4;

/**
 * Creates the chain of every due slot: exactly one each, across restarts and concurrent schedulers.
 * Organizations are served round-robin, so that none waits behind another's thousands.
 *
 * @returns how many chains were created, including skipped ones
 */
export async function startDueChains(now = new Date()): Promise<number> {
  const nextBatch = dueBatches(now);
  const work = async () => {
    let made = 0;
    for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
      const started = await startDueSlots(batch, now);
      made += started.made;
      await enqueueAttempts(
        started.waiting.map(({ poolId, attemptId }) => {
          return { queueName: poolQueue(poolId), attemptId };
        }),
      );
    }
    return made;
  };
  const made = await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
  return made.reduce((sum, one) => sum + one, 0);
}

/** Returns a function that gives the next due projects, each once; an empty batch is the last. */
function dueBatches(now: Date): () => Promise<string[]> {
  const given = new Set<string>();
  let listed: string[] = [];
  let listing: Promise<void> | null = null;
  const list = async () => {
    // Still listed are those that are being written, by this scheduler or another one.
    const due = await listDueProjects(LISTED, now);
    listed = due.filter((id) => !given.has(id));
    listing = null;
  };
  return async () => {
    if (listed.length === 0) {
      listing ??= list();
      await listing;
    }
    const batch = listed.splice(0, DUE_BATCH);
    for (const id of batch) given.add(id);
    return batch;
  };
}
