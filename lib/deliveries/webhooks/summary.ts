import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import type { ChainSummary, WebhookEvent } from './schema';

type Outcome = ChainSummary['chain']['outcome'];
type SessionData = ChainSummary['sessions'][number];

/** What is known of a chain at its end. Ids are the public ones (`chn_`…), costs are micro-dollars. */
export interface ChainFacts {
  organization: ChainSummary['organization'];
  project: ChainSummary['project'];
  chain: Omit<ChainSummary['chain'], 'startedAt' | 'endedAt'> & {
    startedAt: Date | null;
    endedAt: Date;
  };
  sessions: (Omit<SessionData, 'costUsd'> & { costMicros: bigint })[];
  servicesAffected: string[];
  /** Address of the chain's page. */
  link: string;
}

/** What a chain did, as it leaves in `chain.completed` and `chain.needs_human`. */
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
 * The events a chain's end sends: `chain.completed` for every outcome but skipped, and
 * `chain.needs_human` beside it.
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
    sessions.length === 1 ? '1 session' : `${sessions.length} sessions`,
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
