import { isContinuationRefused } from '@/lib/engine/continuation/silence';
import { missingIsolation, unconfinedFact } from '@/lib/engine/hosts/pool-hosts';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { listRefusals } from '../../../approvals/data';
import type { AttemptRow } from '../../../attempt/data';
import { listPoolHosts } from '../../../hosts/data';
import { asSentence, type ClosedGate } from '../../../start-policy/gate';
import { endSession, endUnrun, markWaiting } from '../../../status-data';
import type { ClaimableWork } from '../../kind';
import { turnGate } from '../turn-gate';
import { agentOf, decisionInput, denial } from './decision-input';
import { loadTurnFacts, type TurnFacts } from './facts';
import { buildTurnStart } from './start-spec';

/** Reads the claim of a turn of a conversation. */
export async function claimableTurn(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  now: Date,
): Promise<ClaimableWork> {
  const facts = await loadTurnFacts(db, scope, attempt, now);
  const { runner, session, project, organization, parent, owner, pointer, live } = facts;
  const agent = agentOf(facts);
  const { isContinuation } = facts;
  const missing = missingIsolation([live], runner);
  const unconfined =
    missing &&
    unconfinedFact(missing, await listPoolHosts(db, attempt.id, now), {
      continuesConversation: isContinuation,
    });
  const hasRunTools = (facts.earlierCalls ?? []).length > 0;
  return {
    ...{ runner, session, project, parent, owner, pointer },
    chainId: null,
    config: live,
    refusals: await listRefusals(db, scope.organizationId, {
      projectId: project.id,
      chainId: null,
    }),
    isStopping: false,
    isForNewRunners: true,
    gate: (at) =>
      turnGate(
        {
          ...{ organization, project, config: live, spending: facts.spending },
          hasPool: true,
          unconfined,
        },
        at,
      ),
    hold: async (gate) => {
      await hold(db, attempt, facts, gate);
      return [];
    },
    resumeInput: (at) => decisionInput(attempt, facts, env(), at),
    words: {
      denial: denial(facts, agent),
      turn: { continues: facts.previous?.position ?? null, hasRunTools },
      isContinuation,
      deniedCli: deniedStart(
        live.runnerPool,
        runner,
        agent?.harness ?? live.harness,
        deniedVersionsOf(organization),
      ),
    },
    startedBefore: isContinuation ? startedBefore(facts) : null,
    // As after any failure, the message is sent again only if no tool ran.
    newPurpose: (decision) =>
      isContinuationRefused(attempt, decision) && !hasRunTools ? 'ask' : null,
    refuse: async (_reason, sentence, at) => {
      await end(db, attempt, facts, sentence, at);
      return [];
    },
    buildStart: async (decision) => {
      if (!agent) throw new Error(`The project no longer has an agent named ${facts.turn.agent}.`);
      return buildTurnStart(decision, agent, facts);
    },
    isTainted: async ({ mode }) => mode === 'resume' && facts.isTainted,
    started: async () => [],
  };
}

/** A continuation doesn't change how its turn started. */
function startedBefore({ session: { mechanism, isFallback } }: TurnFacts) {
  const started = mechanism === 'resume' || mechanism === 'transcript' ? mechanism : 'fresh';
  return { mechanism: started, isFallback } as const;
}

/**
 * Stores why the turn doesn't start. The gate may have closed after the message was sent; the sweep
 * repeats the claim.
 */
async function hold(
  db: TenantDb,
  attempt: AttemptRow,
  { session }: TurnFacts,
  { code, because, remedy, waitReason }: ClosedGate,
): Promise<void> {
  const then = code === 'PAUSED' ? 'The agent answers once it is resumed.' : remedy;
  const statusText = `${asSentence(because)} ${then}`;
  if (code === 'CONFINED_ELSEWHERE') {
    await db.attempt.updateMany({ where: { id: attempt.id }, data: { requiredRunnerId: null } });
  }
  if (session.statusText === statusText) return;
  await markWaiting(db, { sessionId: session.id, chainId: null }, { statusText, waitReason });
}

async function end(
  db: TenantDb,
  attempt: AttemptRow,
  { session, isContinuation }: TurnFacts,
  statusText: string,
  now: Date,
): Promise<void> {
  await endUnrun(db, attempt.id, { end: 'start_failed', text: statusText }, now);
  // One that is not continued has begun, and failed.
  const status = isContinuation ? 'failed' : 'refused';
  await endSession(db, session.id, { status, statusText }, now);
}
