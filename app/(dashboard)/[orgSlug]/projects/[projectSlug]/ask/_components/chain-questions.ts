/** Questions that a chain itself suggests, made from what it did. */
import { formatCost, microsOf } from '@/lib/platform/format/cost';

export interface AskedChain {
  number: number;
  outcome: string | null;
  servicesAffected: readonly string[];
  highestTier: number;
  /** US dollars. */
  totalCostUsd: number;
  /** A command of tier 2 or 3 may have changed something. */
  hasActed: boolean;
  /** Services that were restarted. */
  restarted: readonly string[];
}

const EXAMPLES = 4;
/** Nobody wonders about less. */
const CENT = 10_000;

/** At most four, in the order in which somebody would ask. */
export function chainQuestions(chain: AskedChain): string[] {
  const { outcome, servicesAffected, highestTier, totalCostUsd, hasActed } = chain;
  const [service] = servicesAffected;
  const [restarted] = chain.restarted;
  const micros = microsOf(totalCostUsd);
  const candidates = [
    outcome === 'needs_human' && `Why does Chain #${chain.number} need a human?`,
    (outcome === 'failed' || outcome === 'lost') && `Why did Chain #${chain.number} end like this?`,
    restarted && `Why did you restart ${restarted}?`,
    !restarted && service && outcome !== 'needs_human' && `What was wrong with ${service}?`,
    hasActed && 'What changed?',
    service ? `Is ${service} healthy now?` : 'How do things stand?',
    'What would you do next?',
    micros >= CENT && highestTier > 1 && `What did the ${formatCost(micros)} go to?`,
  ];
  return candidates.filter((text) => typeof text === 'string').slice(0, EXAMPLES);
}
