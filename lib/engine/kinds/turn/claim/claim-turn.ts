import { isContinuationRefused } from '@/lib/engine/continuation/silence';
import { missingIsolation, unconfinedFact } from '@/lib/engine/hosts/pool-hosts';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { AskAgent } from '@/lib/projects/ask-agents';
import { listRefusals } from '../../../approvals/data';
import type { AttemptRow } from '../../../attempt/data';
import { listPoolHosts } from '../../../hosts/data';
import type { UnconfinedFact } from '../../../start-policy/facts';
import { asSentence, type ClosedGate } from '../../../start-policy/gate';
import { endSession, endUnrun, markWaiting } from '../../../status-data';
import type { ClaimedWork, Claims } from '../../kind';
import { turnGate } from '../turn-gate';
import { agentOf, decisionInput, denial } from './decision-input';
import { loadTurnFacts, type TurnFacts } from './facts';
import { buildTurnStart } from './start-spec';

interface TurnWork extends TurnFacts, ClaimedWork {
  session: TurnFacts['session'];
  project: TurnFacts['project'];
  /** Null if the project has removed it. */
  agent: AskAgent | null;
  unconfined: UnconfinedFact | null;
  /** Whether an earlier attempt of the turn ran a tool. */
  hasRunTools: boolean;
}

/** How a turn of a conversation is claimed. */
export const turnClaims: Claims<TurnWork> = {
  read,
  gate: ({ organization, project, live, spending, unconfined }, now) =>
    turnGate({ organization, project, config: live, spending, hasPool: true, unconfined }, now),
  resumeInput: (work, now) => decisionInput(work.attempt, work, env(), now),
  // As after any failure, the message is sent again only if no tool ran.
  newPurpose: ({ attempt, hasRunTools }, decision) =>
    isContinuationRefused(attempt, decision) && !hasRunTools ? 'ask' : null,
  hold: async (db, _scope, work, gate) => {
    await hold(db, work, gate);
    return [];
  },
  refuse: async (db, _scope, work, { sentence }, now) => {
    await end(db, work, sentence, now);
    return [];
  },
  buildStart: async (_db, { agent, ...facts }, decision) => {
    if (!agent) throw new Error(`The project no longer has an agent named ${facts.turn.agent}.`);
    return buildTurnStart(decision, agent, facts);
  },
  isTainted: async (_db, { isTainted }, { mode }) => mode === 'resume' && isTainted,
  started: async () => [],
};

async function read(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  now: Date,
): Promise<TurnWork> {
  const facts = await loadTurnFacts(db, scope, attempt, now);
  const { runner, project, organization, live, isContinuation } = facts;
  const agent = agentOf(facts);
  const missing = missingIsolation([live], runner);
  const unconfined =
    missing &&
    unconfinedFact(missing, await listPoolHosts(db, attempt.id, now), {
      continuesConversation: isContinuation,
    });
  const hasRunTools = (facts.earlierCalls ?? []).length > 0;
  const denied = deniedVersionsOf(organization);
  const about = { projectId: project.id, chainId: null };
  return {
    ...facts,
    ...{ attempt, agent, unconfined, hasRunTools, chainId: null, config: live },
    refusals: await listRefusals(db, about),
    isStopping: false,
    isForNewRunners: true,
    words: {
      denial: denial(facts, agent),
      turn: { continues: facts.previous?.position ?? null, hasRunTools },
      isContinuation,
      deniedCli: deniedStart(live.runnerPool, runner, agent?.harness ?? live.harness, denied),
    },
    startedBefore: isContinuation ? startedBefore(facts) : null,
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
  { attempt, session }: TurnWork,
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
  { attempt, session, isContinuation }: TurnWork,
  statusText: string,
  now: Date,
): Promise<void> {
  await endUnrun(db, attempt.id, { end: 'start_failed', text: statusText }, now);
  // One that is not continued has begun, and failed.
  const status = isContinuation ? 'failed' : 'refused';
  await endSession(db, session.id, { status, statusText }, now);
}
