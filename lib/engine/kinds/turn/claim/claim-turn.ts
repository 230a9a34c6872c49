import { AGENTS } from '@/lib/agents/registry';
import { budgetLeftUsd } from '@/lib/engine/budget';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import { isContinuationRefused } from '@/lib/engine/continuation/silence';
import { startContinuation } from '@/lib/engine/continuation/start';
import { missingIsolation, unconfinedFact } from '@/lib/engine/hosts/pool-hosts';
import { askPrompts } from '@/lib/engine/prompts/ask-prompt';
import { evaluatedAgent } from '@/lib/fleet/capabilities';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { AskAgent } from '@/lib/projects/ask-agents';
import { askFirstDenials } from '@/lib/projects/rules/ask-first-denials';
import { commandPolicy, commandSecrets } from '@/lib/projects/rules/command-policy';
import { expandDenials, expandRules } from '@/lib/projects/rules/placeholders';
import { startIsolation } from '@/lib/protocol/confinement';
import type { StartSpec } from '@/lib/protocol/spec';
import { listRefusals } from '../../../approvals/data';
import type { AttemptRow } from '../../../attempt/data';
import { listPoolHosts } from '../../../hosts/data';
import type { UnconfinedFact } from '../../../start-policy/facts';
import { asSentence, type ClosedGate } from '../../../start-policy/gate';
import { endSession, endUnrun, markWaiting } from '../../../status-data';
import type { ClaimedWork, Claims } from '../../kind';
import { renderTranscript } from '../transcript';
import { turnGate } from '../turn-gate';
import { agentOf, decisionInput, denial } from './decision-input';
import { loadTurnFacts, type TurnFacts } from './facts';

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
      deniedCli: deniedStart(live.runnerPool, runner, agent?.harness ?? live.harness, denied),
    },
  };
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

/** How long a question of the agent waits for a person, in seconds. */
const QUESTION_WAIT_SECONDS = 600;

/** Builds the start for a decision, with the tools and rules of tier 1 and no others. */
export function buildTurnStart(
  decision: StartDecision,
  agent: AskAgent,
  facts: TurnFacts,
): StartSpec {
  const { turn, session, live, project, chain, spending } = facts;
  const [observe] = live.tiers;
  const carried = startContinuation(decision, {
    handoffContext: null,
    transcript: renderTranscript(facts.transcript),
  });
  // Nobody is asked on behalf of a conversation.
  const denied = [
    ...observe.disallowedTools,
    ...askFirstDenials(observe.askFirstTools, observe.allowedTools, live.services),
  ];
  const disallowedRules = expandDenials(denied);
  const prompts = askPrompts({
    project: project.name,
    chain: chain ? `#${chain.number}` : null,
    services: live.services,
    toolNames: AGENTS[agent.harness].toolNames,
    tools: observe.tools,
    allowedRules: observe.allowedTools,
    disallowedRules,
    askFirstRules: [],
    instructions: live.instructions,
    keepsNotes: live.checkpoints.enabled,
    isContinuation: facts.isContinuation,
    isResumed: decision.mode === 'resume',
    message: turn.message,
    transcript: carried.transcript,
  });
  const { enabled, promptInterval, timeIntervalMs, recoveryBudgetChars } = live.checkpoints;
  return {
    harness: agent.harness,
    tier: 1,
    purpose: 'ask',
    model: session.model,
    cliSessionId: decision.newCliSessionId,
    continuation: carried.continuation,
    ...prompts,
    tools: observe.tools,
    allowedRules: expandRules(observe.allowedTools, live.services),
    disallowedRules,
    isolation: startIsolation(live.isolation),
    commands: commandPolicy(
      { allowed: observe.allowedTools, denied, askFirst: [] },
      live.services,
      commandSecrets(live.secrets, 1),
    ),
    reportSchema: null,
    questionWaitSeconds:
      AGENTS[agent.harness].toolNames.ask === null ? null : QUESTION_WAIT_SECONDS,
    limits: {
      // A person may take a while to answer, so the stall timeout is suspended.
      timeoutSeconds: observe.timeoutSeconds + QUESTION_WAIT_SECONDS,
      stallSeconds: observe.stallSeconds,
      maxTurns: observe.maxTurns,
      maxBudgetUsd: budgetLeftUsd(observe.maxBudgetUsd, spending, {
        ...live.budgets,
        chainUsd: null,
      }),
    },
    writesHandoffFile: false,
    agent: evaluatedAgent(facts.runner.capabilities, agent.harness),
    checkpoints: enabled
      ? { project: project.name, promptInterval, timeIntervalMs, recoveryBudgetChars }
      : null,
    recovery: null,
  };
}
