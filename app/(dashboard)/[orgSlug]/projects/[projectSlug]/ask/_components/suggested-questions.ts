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

// Questions that the project itself suggests, made from what its rows say.

export interface ExampleFacts {
  projectName: string;
  /** The newest that ended and waits for a person; null without one. */
  needsHuman: { number: number } | null;
  /** The newest that repaired something. */
  fixed: { number: number; services: readonly string[] } | null;
  services: readonly { name: string; status: string }[];
  /** Of the UTC day and month, micro-dollars. */
  dayMicros: number;
  monthMicros: number;
}

const PROJECT_EXAMPLES = 3;

/** Three of them, what is in trouble first. */
export function exampleQuestions(facts: ExampleFacts): string[] {
  const { projectName, needsHuman, fixed, services, dayMicros, monthMicros } = facts;
  const down = services.find(({ status }) => status === 'down' || status === 'degraded');
  const [repaired] = fixed?.services ?? [];
  const [first] = services;
  const candidates = [
    needsHuman && `Why does Chain #${needsHuman.number} need a human?`,
    down && `Is ${down.name} still ${down.status}, and since when?`,
    fixed && repaired && `What was done to ${repaired} in Chain #${fixed.number}, and did it last?`,
    dayMicros >= CENT && `Where did today’s ${formatCost(dayMicros)} go?`,
    monthMicros >= CENT &&
      monthMicros !== dayMicros &&
      `Where did this month’s ${formatCost(monthMicros)} go?`,
    first && `Is ${first.name} healthy now?`,
    `What does a chain of ${projectName} check?`,
    'What would tier 2 be allowed to do here?',
    'Which chain ran last, and what did it find?',
  ];
  return candidates.filter((text) => typeof text === 'string').slice(0, PROJECT_EXAMPLES);
}
