import { describe, expect, it } from 'vitest';
import {
  ESCALATION_REASONS,
  type EscalationReason,
  escalationSentence,
  tierToTurnOn,
} from './reasons';

const VALUES = {
  tier: 1,
  nextTier: 2,
  maxTier: 1,
  project: 'Checkout',
  services: ['web', 'db'],
  detail: 'the detail',
} as const;

/** Every reason with its sentence for two services and for none. */
const SENTENCES: Record<EscalationReason, readonly [string, string]> = {
  ALL_HEALTHY: ['All services are healthy.', 'All services are healthy.'],
  RECOVERED: [
    'All services are healthy; tier 1 changed nothing.',
    'All services are healthy; tier 1 changed nothing.',
  ],
  FIXED: ['Tier 1 reported a fix for web, db.', 'Tier 1 reported a fix.'],
  FIX_UNPROVEN: [
    'Tier 1 reported a fix for web, db, but no check or alert showed a problem before it.',
    'Tier 1 reported a fix, but no check or alert showed a problem before it.',
  ],
  CHECKS_HEALTHY: [
    'Tier 1 requested tier 2 for web, db, but every check of them passed in the same attempt. Tier 2 was not started.',
    'Tier 1 requested tier 2 for no named service, but every check of them passed in the same attempt. Tier 2 was not started.',
  ],
  NO_SERVICE: [
    'Tier 1 requested tier 2 and named no service of Checkout. Tier 2 was not started; read the report of tier 1.',
    'Tier 1 requested tier 2 and named no service of Checkout. Tier 2 was not started; read the report of tier 1.',
  ],
  FINDINGS: [
    'Tier 1 reported findings for web, db and requested no higher tier.',
    'Tier 1 reported findings and requested no higher tier.',
  ],
  UNCHECKED: [
    'Tier 1 reported no problems, but some checks of web, db couldn’t run.',
    'Tier 1 reported no problems, but some checks of no named service couldn’t run.',
  ],
  CLAIM_CONTRADICTED: [
    'Tier 1 reported no problems, but the last check found web, db unhealthy.',
    'Tier 1 reported no problems, but the last check found no named service unhealthy.',
  ],
  NOT_RESOLVED: [
    'Tier 1 left web, db unresolved and requested no higher tier.',
    'Tier 1 did not resolve the problem and requested no higher tier.',
  ],
  REPORT_MISSING: ['Tier 1 ended without a report.', 'Tier 1 ended without a report.'],
  ESCALATED: ['Escalated to tier 2 for web, db.', 'Escalated to tier 2.'],
  DRY_RUN: [
    'Escalation suppressed (dry run): would have escalated to tier 2 for: web, db',
    'Escalation suppressed (dry run): would have escalated to tier 2 for: no named service',
  ],
  PAUSED: [
    'Escalation suppressed (paused): the detail. Would have escalated to tier 2 for: web, db',
    'Escalation suppressed (paused): the detail. Would have escalated to tier 2 for: no named service',
  ],
  SNOOZED: [
    'Escalation suppressed (snoozed): the detail. Would have escalated to tier 2 for: web, db',
    'Escalation suppressed (snoozed): the detail. Would have escalated to tier 2 for: no named service',
  ],
  ACKNOWLEDGED: [
    'Escalation suppressed (acknowledged): the detail. Would have escalated to tier 2 for: web, db',
    'Escalation suppressed (acknowledged): the detail. Would have escalated to tier 2 for: no named service',
  ],
  MAINTENANCE: [
    'Escalation suppressed (maintenance): the detail. Would have escalated to tier 2 for: web, db',
    'Escalation suppressed (maintenance): the detail. Would have escalated to tier 2 for: no named service',
  ],
  MAX_TIER: [
    'Tier 2 is needed but the maximum for Checkout is tier 1.',
    'Tier 2 is needed but the maximum for Checkout is tier 1.',
  ],
  TIER_DISABLED: [
    'Tier 2 is needed but it is turned off for Checkout.',
    'Tier 2 is needed but it is turned off for Checkout.',
  ],
  COOLDOWN: [
    'the detail Tier 2 was not started, since it could not act.',
    'the detail Tier 2 was not started, since it could not act.',
  ],
  BUDGET: [
    'the detail Tier 2 is needed and was not started.',
    'the detail Tier 2 is needed and was not started.',
  ],
  TIER3_UNRESOLVED: [
    'Tier 3 ended and left web, db unresolved. No tier is above it.',
    'Tier 3 ended without resolving the problem. No tier is above it.',
  ],
  HANDOFF_UNREADABLE: [
    'Escalation blocked: could not read handoff from tier 1 — the detail',
    'Escalation blocked: could not read handoff from tier 1 — the detail',
  ],
  HANDOFF_INVALID: [
    'Escalation blocked: invalid handoff from tier 1 — the detail',
    'Escalation blocked: invalid handoff from tier 1 — the detail',
  ],
};

describe('the sentence of an escalation decision', () => {
  it.each(ESCALATION_REASONS)('%s', (reason) => {
    const [named, unnamed] = SENTENCES[reason];
    expect(escalationSentence(reason, VALUES)).toBe(named);
    expect(escalationSentence(reason, { ...VALUES, services: [] })).toBe(unnamed);
  });
});

it.each([
  ['needs_human', 'MAX_TIER', 1, 2],
  ['needs_human', 'MAX_TIER', 2, 3],
  ['needs_human', 'TIER_DISABLED', 1, 2],
  ['needs_human', 'MAX_TIER', 3, null],
  ['needs_human', 'MAX_TIER', 0, null],
  ['needs_human', 'COOLDOWN', 1, null],
  ['needs_human', null, 1, null],
  ['suppressed', 'MAX_TIER', 1, null],
  [null, 'MAX_TIER', 1, null],
])(
  '[PAG-2.2] a chain that ended as %s for %s after tier %s: %s',
  (outcome, reason, highestTier, tier) => {
    expect(tierToTurnOn({ outcome, reason, highestTier })).toBe(tier);
  },
);
