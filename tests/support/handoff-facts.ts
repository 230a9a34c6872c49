/** The end of a tier 1 that found payments-db down and requests help for it. */
import type { HandoffFacts } from '@/lib/engine/continuation/handoff/build';
import type { CheckFact } from '@/lib/engine/escalation/affected';
import type { TierReport } from '@/lib/protocol/report';

export const REPORT: TierReport = {
  summary: 'payments-db is down.',
  services_checked: [
    { name: 'payments-db', status: 'down', detail: 'refused' },
    { name: 'web', status: 'healthy', detail: '' },
    { name: 'mail', status: 'unknown', detail: '' },
  ],
  findings: [{ service: 'payments-db', severity: 'critical', message: 'It refuses connections.' }],
  escalation: { wanted: true, reason: 'Needs a restart.', services: ['payments-db'] },
  actions_taken: [],
};

export const DOWN: CheckFact = {
  service: 'payments-db',
  type: 'tcp',
  target: 'db:5432',
  status: 'down',
  error: 'connection refused',
  responseTimeMs: 3,
};

export const HANDOFF_FACTS: HandoffFacts = {
  tier: 1,
  services: ['payments-db'],
  report: REPORT,
  checks: [DOWN],
  previous: null,
  cooldownState: { 'payments-db': { restart: { used: 1, limit: 2 } } },
  checkpoint: null,
};
