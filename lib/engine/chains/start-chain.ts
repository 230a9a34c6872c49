import { poolQueue } from '@/lib/fleet/queues';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { enqueueAttempt, enqueueAttempts } from '@/lib/platform/queue/enqueue';
import { openWindow } from '@/lib/projects/maintenance/window';
import { requireProject } from '@/lib/projects/manage-project';
import { findPool, getConfig, getProjectRow, listTierPauses } from '@/lib/projects/project-rows';
import type { Tier } from '@/lib/protocol/spec';
import { pausesOf } from '../attempt/holds';
import { budgetFacts } from '../budget';
import { getSpending } from '../ledger-data';
import { closedGate, NOTHING_HOLDS, refusalText } from '../start-policy';
import { findLiveChain } from './chain-rows';
import { createChain, lockProject, startDueSlots } from './data';
import { newChain } from './new-chain';

interface StartChainInput {
  projectId: string;
  trigger: 'manual' | 'api';
  /** Tiers above 1 need the admin role and can't exceed the project's maximum. */
  tier?: Tier;
  /** A text of the operator, put before the tier's prompt. */
  prompt?: string | null;
  forceFresh?: boolean;
  dryRun?: boolean;
}

/**
 * Starts a chain now.
 *
 * @returns UUID and number of the new chain
 * @throws ConflictError with the live chain's id while one runs
 */
export async function startChain(
  scope: TenantScope,
  input: StartChainInput,
  now = new Date(),
): Promise<{ chainId: string; number: number }> {
  requireMay(scope, (input.tier ?? 1) > 1 ? 'chain.run_above_tier_1' : 'chain.run');
  const started = await inTransaction(scope, async (db) => {
    await lockProject(db, scope.organizationId, input.projectId);
    const project = await getProjectRow(db, input.projectId);
    const organization = await db.organization.findFirstOrThrow({});
    const config = await getConfig(db, project.id, project.currentVersion);
    const tier = input.tier ?? 1;
    const pool = await findPool(db, scope.organizationId, config.runnerPool);
    const live = await findLiveChain(db, project.id);
    const spending = await getSpending(db, scope.organizationId, project.id, null, now);
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
    if (gate) throw new PreconditionFailedError(refusalText(gate));
    const model = config.tiers[tier - 1]?.model;
    if (!pool || !model) throw new Error('A missing pool or tier closes its gate.');
    const chain = newChain({
      organizationId: scope.organizationId,
      projectId: project.id,
      trigger: input.trigger,
      requestedBy: scope.actor.label,
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
  input: Omit<StartChainInput, 'projectId' | 'trigger'>,
): Promise<string> {
  const { id } = await inTransaction(scope, (db) => requireProject(db, project));
  const trigger = scope.actor.kind === 'user' ? 'manual' : 'api';
  const { chainId } = await startChain(scope, { ...input, projectId: id, trigger });
  return encodeId('chn', chainId);
}

/**
 * Enough for few round trips, and few enough that a project due meanwhile waits for one batch, and
 * that an overloaded machine writes one within the limit of a transaction.
 */
export const DUE_BATCH = 500;

/** While one batch is written, another is planned or enqueued. */
const BATCHES_AT_ONCE = 2;

/**
 * Creates the chain of every due slot: exactly one each, across restarts and concurrent schedulers.
 * Every batch serves organizations round-robin, so that none waits behind another's thousands.
 *
 * @returns how many chains were created, including skipped ones
 */
export async function startDueChains(now = new Date()): Promise<number> {
  const first = await startDueBatch(now);
  if (!first.isFull) return first.made;
  const rest = await Promise.all(
    Array.from({ length: BATCHES_AT_ONCE }, () => startBatchesUntilDone(now)),
  );
  return rest.reduce((sum, made) => sum + made, first.made);
}

async function startBatchesUntilDone(now: Date): Promise<number> {
  let made = 0;
  for (;;) {
    const batch = await startDueBatch(now);
    made += batch.made;
    if (!batch.isFull) return made;
  }
}

async function startDueBatch(now: Date): Promise<{ made: number; isFull: boolean }> {
  const { seen, made, waiting } = await startDueSlots(DUE_BATCH, now);
  await enqueueAttempts(
    waiting.map(({ poolId, attemptId }) => ({ queueName: poolQueue(poolId), attemptId })),
  );
  return { made, isFull: seen === DUE_BATCH };
}
