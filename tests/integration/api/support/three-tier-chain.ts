import { v7 as uuidv7 } from 'uuid';
import { tierModelsOf } from '@/lib/agents/registry';
import { startChain } from '@/lib/engine/chains/start-chain';
import { appendSessionEvents } from '@/lib/engine/events/data';
import { bookLedger } from '@/lib/engine/ledger-data';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createFromDocument } from '@/lib/projects/apply-document';
import type { Tenant } from './tenant';

export interface SeededChain {
  projectId: string;
  projectSlug: string;
  chainId: string;
  /** Of tiers 1, 2 and 3, in order. */
  sessionIds: [string, string, string];
  /** UUIDs of the same. */
  sessionUuids: [string, string, string];
  runnerId: string;
}

const COSTS_MICROS = [30_000, 470_000, 2_000_000] as const;

/** An ended chain of three tiers by resume, with its ledger, decisions, handoffs and events. */
export async function seedThreeTierChain(tenant: Tenant, slug = 'shop'): Promise<SeededChain> {
  const { scope } = tenant;
  const { organizationId } = scope;
  const now = new Date();
  const project = await createFromDocument(
    scope,
    {
      name: 'Shop',
      slug,
      maxTier: 3,
      services: [
        { name: 'api', checks: [{ type: 'tcp', target: '127.0.0.1:1', timeoutSeconds: 5 }] },
      ],
    },
    { tierModelsOf, canConfine: false },
  );
  const [row] = await inTransaction(scope, (db) => db.project.findMany({ where: { slug } }));
  if (!row) throw new Error('The project is missing.');
  const { chainId } = await startChain(scope, { projectId: row.id, trigger: 'api' });
  const runnerId = uuidv7();
  const ids: [string, string, string] = [uuidv7(), uuidv7(), uuidv7()];
  await inTransaction(scope, async (db) => {
    const pool = await db.runnerPool.findFirstOrThrow({});
    const of = { organizationId, projectId: row.id, chainId };
    await db.runner.create({
      data: {
        id: runnerId,
        organizationId,
        poolId: pool.id,
        name: 'host-1',
        keyHash: runnerId,
        allowedTiers: [1, 2, 3],
        lastSeenAt: now,
      },
    });
    // The session that startChain made stands in the way of the ones below.
    await db.session.deleteMany({ where: { chainId } });
    for (const [index, id] of ids.entries()) {
      const tier = index + 1;
      await db.session.create({
        data: {
          ...of,
          id,
          number: 18 + index,
          tier,
          parentSessionId: ids[index - 1] ?? null,
          model: ['haiku', 'sonnet', 'opus'][index] ?? '',
          projectVersion: 1,
          status: tier === 3 ? 'completed' : 'escalated',
          statusText: `Tier ${tier} ended.`,
          mechanism: tier === 1 ? 'fresh' : 'resume',
          cliSessionId: id,
          report: { summary: `Report of tier ${tier}` },
          turns: tier,
          startedAt: now,
          endedAt: new Date(now.getTime() + 60_000),
        },
      });
      const attempt = await db.attempt.create({
        data: {
          organizationId,
          projectId: row.id,
          sessionId: id,
          number: 1,
          status: 'ended',
          end: 'completed',
          poolId: pool.id,
          runnerId,
          exitCode: 0,
          contextTokens: 50_000,
          contextWindow: 200_000,
          confirmedCliSessionId: id,
          command: {
            kind: 'command',
            argv: ['claude', '-p'],
            env: { HOME: '/home/runner', ANTHROPIC_API_KEY: 'set' },
            prompt: 'Look.',
            systemPrompt: 'Be careful.',
            workDir: '/w',
            configDir: '/c',
            workDirInode: '1:2',
            cliVersion: '2.1.330',
          },
        },
      });
      await bookLedger(
        db,
        [
          {
            ...of,
            sessionId: id,
            attemptId: attempt.id,
            tier,
            model: `model-${tier}`,
            inputTokens: 1_000,
            outputTokens: 100,
            cacheReadTokens: 10,
            cacheWriteTokens: 1,
            costMicros: COSTS_MICROS[index] ?? 0,
            source: 'reported' as const,
            priceTable: null,
            claimed: null,
            raw: null,
          },
        ],
        now,
      );
      await db.checkpoint.create({
        data: {
          organizationId,
          projectId: row.id,
          sessionId: id,
          attemptId: attempt.id,
          attemptSeq: 26,
          harness: 'claude',
          projectPath: '/srv/work',
          projectPathNormalized: '/srv/work',
          trigger: 'session_end',
          digest: `Shop, tier ${tier}`,
          counts: { prompts: 1, toolCalls: tier, toolResults: tier, elapsedMs: 60_000 },
          recentQueries: ['refused'],
          remembered: [],
          at: now,
        },
      });
      await db.decision.create({
        data: {
          ...of,
          sessionId: id,
          attemptId: attempt.id,
          kind: 'continuation',
          verdict: tier === 1 ? 'fresh' : 'resume',
          reason: tier === 1 ? 'NO_PREDECESSOR' : 'RESUMED',
          sentence: `Why tier ${tier} started so.`,
          facts: {
            guards: [
              { id: 'G1', name: 'Same project', passed: true, compared: { project: 'shop' } },
            ],
            context: {
              usedTokens: 50_000,
              cumulativeTokens: 90_000,
              windowTokens: 200_000,
              isWindowKnown: true,
              share: 0.25,
              threshold: 0.7,
              thresholdSource: 'project',
            },
            advisories: [],
          },
        },
      });
      if (tier < 3) {
        await db.handoff.create({
          data: {
            ...of,
            sessionId: id,
            toTier: tier + 1,
            source: 'built',
            payload: { schema_version: 1, recommended_tier: tier + 1 },
          },
        });
      }
      await appendSessionEvents(
        db,
        id,
        Array.from({ length: 25 }, (_, at) => ({
          attemptId: attempt.id,
          attemptSeq: at + 1,
          kind: 'text',
          at: now,
          payload: { kind: 'text', text: `line ${at + 1}` },
        })),
      );
    }
    const service = await db.service.findFirstOrThrow({ where: { projectId: row.id } });
    await db.serviceHealth.create({
      data: {
        organizationId,
        serviceId: service.id,
        chainId,
        status: 'healthy',
        statusBefore: 'down',
        at: now,
      },
    });
    await db.chain.updateMany({
      where: { id: chainId },
      data: {
        status: 'ended',
        outcome: 'needs_human',
        outcomeReason: 'TIER3_UNRESOLVED',
        startedAt: now,
        endedAt: new Date(now.getTime() + 180_000),
        highestTier: 3,
        servicesAffected: ['api'],
      },
    });
  });
  const sessionIds = ids.map((id) => encodeId('ses', id)) as [string, string, string];
  return {
    projectId: project.id,
    projectSlug: slug,
    chainId: encodeId('chn', chainId),
    sessionIds,
    sessionUuids: ids,
    runnerId: encodeId('rnr', runnerId),
  };
}
