import { TRIGGERS } from '@/lib/engine/triggers';
import { formatCost } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { ChainSummary, WebhookEvent } from './schema';

type SessionFacts = ChainFacts['sessions'][number];
type EventOf<Type extends WebhookEvent['type']> = WebhookEvent & { type: Type };

/** Returns the event for a chain whose first process is about to start. */
export function chainStartedEvent(facts: ChainFacts, at: Date): EventOf<'chain.started'> {
  const { id, number, trigger } = facts.chain;
  const startedAt = at.toISOString();
  return {
    type: 'chain.started',
    timestamp: startedAt,
    data: {
      ...about(
        facts,
        `Chain #${number} of ${facts.project.name} started ${TRIGGERS[trigger].clause}.`,
      ),
      chain: { id, number, trigger, startedAt },
    },
  };
}

/** Returns the event for an escalation. `hop` names sessions of the facts, by id (`ses_…`). */
export function chainEscalatedEvent(
  facts: ChainFacts,
  hop: { fromId: string; toId: string; services: readonly string[] },
  at: Date,
): EventOf<'chain.escalated'> {
  const from = sessionOf(facts, hop.fromId);
  const { id, number, tier, model } = sessionOf(facts, hop.toId);
  const services = hop.services.length > 0 ? ` for ${hop.services.join(', ')}` : '';
  const chain = { id: facts.chain.id, number: facts.chain.number };
  return {
    type: 'chain.escalated',
    timestamp: at.toISOString(),
    data: {
      ...about(
        facts,
        `Chain #${chain.number} of ${facts.project.name} escalated to tier ${tier}${services}.`,
      ),
      chain,
      from: sentSession(from),
      to: { id, number, tier, model },
      servicesAffected: [...hop.services],
    },
  };
}

/** Returns the event for a session that had started and has ended, whatever its end. */
export function sessionCompletedEvent(
  facts: ChainFacts,
  session: SessionFacts,
  at: Date,
): EventOf<'session.completed'> {
  const { id, number } = facts.chain;
  return {
    type: 'session.completed',
    timestamp: at.toISOString(),
    data: {
      ...about(
        facts,
        `Session #${session.number} of ${facts.project.name}, tier ${session.tier}, ended: ${session.status.replaceAll('_', ' ')}.`,
      ),
      chain: { id, number },
      session: sentSession(session),
    },
  };
}

export interface CrossedBudget {
  code: 'BUDGET_WARNING' | 'BUDGET_REACHED';
  /** One sentence for people. */
  message: string;
  scope: 'chain' | 'day' | 'month';
  limitMicros: number;
  spentMicros: number;
}

/**
 * Returns the event for a budget that passed its warning level or its limit. The budget of a day or
 * month belongs to no single chain.
 */
export function budgetEvent(
  facts: Pick<ChainFacts, 'organization' | 'project'> & {
    /** Null if the booking was for a turn of a conversation. */
    chain: Pick<ChainFacts['chain'], 'id' | 'number'> | null;
    projectLink: string;
  },
  crossed: CrossedBudget,
  at: Date,
): EventOf<'budget.warning'> | EventOf<'budget.reached'> {
  const { organization, project, chain, projectLink } = facts;
  const { scope, limitMicros, spentMicros, message } = crossed;
  return {
    type: crossed.code === 'BUDGET_REACHED' ? 'budget.reached' : 'budget.warning',
    timestamp: at.toISOString(),
    data: {
      organization,
      project,
      summary: message,
      link: projectLink,
      chain: scope === 'chain' && chain ? { id: chain.id, number: chain.number } : null,
      budget: { scope, limitUsd: limitMicros / 1_000_000, spentUsd: spentMicros / 1_000_000 },
    },
  };
}

function about(facts: ChainFacts, summary: string) {
  const { organization, project, link } = facts;
  return { organization, project, summary, link };
}

function sessionOf(facts: ChainFacts, id: string): SessionFacts {
  const session = facts.sessions.find((each) => each.id === id);
  if (!session) throw new Error(`The chain has no session ${id}.`);
  return session;
}

function sentSession({ costMicros, ...session }: SessionFacts): ChainSummary['sessions'][number] {
  return { ...session, costUsd: Number(costMicros) / 1_000_000 };
}

type Outcome = ChainSummary['chain']['outcome'];
type SessionData = ChainSummary['sessions'][number];

/**
 * The facts about a chain at its end. Ids are the public ones (`chn_…`), costs are micro-dollars.
 */
export interface ChainFacts {
  organization: ChainSummary['organization'];
  project: ChainSummary['project'];
  chain: Omit<ChainSummary['chain'], 'startedAt' | 'endedAt'> & {
    startedAt: Date | null;
    endedAt: Date;
  };
  sessions: (Omit<SessionData, 'costUsd'> & { costMicros: bigint })[];
  servicesAffected: string[];
  /** URL of the chain's page. */
  link: string;
}

/** Returns the summary of a chain that `chain.completed` and `chain.needs_human` carry. */
export function chainSummary(facts: ChainFacts): ChainSummary {
  const { startedAt, endedAt, ...chain } = facts.chain;
  return {
    organization: facts.organization,
    project: facts.project,
    chain: {
      ...chain,
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
    },
    sessions: facts.sessions.map(({ costMicros, ...session }) => ({
      ...session,
      costUsd: toUsd(costMicros),
    })),
    totalCostUsd: toUsd(totalMicros(facts)),
    servicesAffected: facts.servicesAffected,
    summary: chainSentence(facts),
    link: facts.link,
  };
}

/**
 * Returns the events for the end of a chain: `chain.completed` for every outcome except skipped,
 * and also `chain.needs_human` if it applies.
 */
export function chainEndEvents(facts: ChainFacts, at: Date): WebhookEvent[] {
  const { outcome } = facts.chain;
  if (outcome === 'skipped') return [];
  const timestamp = at.toISOString();
  const data = chainSummary(facts);
  const completed: WebhookEvent = { type: 'chain.completed', timestamp, data };
  return outcome === 'needs_human'
    ? [completed, { type: 'chain.needs_human', timestamp, data }]
    : [completed];
}

/** `Chain #12 of Checkout reported a fix for api at tier 2: 2 sessions, 3m 12s, $0.50.` */
export function chainSentence(facts: ChainFacts): string {
  const { chain, project, sessions, servicesAffected } = facts;
  const services = servicesAffected.length > 0 ? ` for ${servicesAffected.join(', ')}` : '';
  const tier = chain.highestTier > 0 ? ` at tier ${chain.highestTier}` : '';
  const ending = OUTCOME_WORDS[chain.outcome](services, tier);
  const figures = [
    formatCounted(sessions.length, 'session'),
    ...(chain.startedAt
      ? [formatDuration(chain.endedAt.getTime() - chain.startedAt.getTime())]
      : []),
    formatCost(totalMicros(facts)),
  ];
  const dryRun = chain.isDryRun ? ' (dry run)' : '';
  return `Chain #${chain.number} of ${project.name}${dryRun} ${ending}: ${figures.join(', ')}.`;
}

const OUTCOME_WORDS: Record<Outcome, (services: string, tier: string) => string> = {
  healthy: (_services, tier) => `ended healthy${tier}`,
  findings: (services, tier) => `reported findings${services}${tier} and took no action`,
  fixed: (services, tier) => `reported a fix${services}${tier}`,
  suppressed: (services, tier) => `suppressed an escalation${services}${tier}`,
  needs_human: (services, tier) => `needs a human${services}${tier}`,
  failed: (_services, tier) => `failed${tier}`,
  lost: (_services, tier) => `was lost${tier}`,
  stopped: (_services, tier) => `was stopped${tier}`,
  skipped: () => 'was skipped',
};

function totalMicros(facts: ChainFacts): bigint {
  return facts.sessions.reduce((sum, session) => sum + session.costMicros, 0n);
}

function toUsd(micros: bigint): number {
  return Number(micros) / 1_000_000;
}
