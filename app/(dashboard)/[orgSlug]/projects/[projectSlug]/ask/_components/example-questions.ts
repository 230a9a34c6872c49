/** Questions that the project itself suggests, made from what its rows say. */

import { formatCost } from '@/lib/platform/format/cost';

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

const EXAMPLES = 3;
/** Nobody wonders about less. */
const CENT = 10_000;

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
  return candidates.filter((text) => typeof text === 'string').slice(0, EXAMPLES);
}
