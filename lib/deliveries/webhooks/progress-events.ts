import type { ChainSummary, WebhookEvent } from './schema';
import type { ChainFacts } from './summary';

type SessionFacts = ChainFacts['sessions'][number];
type EventOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>;

const TRIGGERS: Record<ChainFacts['chain']['trigger'], string> = {
  schedule: 'on schedule',
  manual: 'by hand',
  api: 'by API',
};

/** The first process of a chain is about to start. */
export function chainStartedEvent(facts: ChainFacts, at: Date): EventOf<'chain.started'> {
  const { id, number, trigger } = facts.chain;
  const startedAt = at.toISOString();
  return {
    type: 'chain.started',
    timestamp: startedAt,
    data: {
      ...about(facts, `Chain #${number} of ${facts.project.name} started ${TRIGGERS[trigger]}.`),
      chain: { id, number, trigger, startedAt },
    },
  };
}

/** A session has handed up to the next tier. Both are sessions of the facts, by id (`ses_…`). */
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

/** A session that had started has ended, in whatever way. */
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

/** A budget has passed its warning mark, or its limit. A day's or month's is no single chain's. */
export function budgetEvent(
  facts: Pick<ChainFacts, 'organization' | 'project'> & {
    /** Null where a turn of a conversation was booked. */
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
