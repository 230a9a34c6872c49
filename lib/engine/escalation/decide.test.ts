import { describe, expect, it } from 'vitest';
import type { TierReport } from '@/lib/protocol/report';
import type { CooldownFact } from '../cooldowns/state';
import type { CheckFact } from './affected';
import { chainOutcomeOf, decideEscalation } from './decide';
import { ESCALATION_REASONS, type EscalationReason } from './reasons';
import type { EscalationFacts, EscalationPolicy, Evidence } from './schema';

const now = new Date('2026-11-21T14:00:00Z');
const later = new Date('2026-11-21T15:00:00Z');

const healthyReport: TierReport = {
  summary: 'All healthy.',
  services_checked: [{ name: 'payments-db', status: 'healthy', detail: '' }],
  findings: [],
  escalation: { wanted: false, reason: '', services: [] },
  actions_taken: [],
};
const request: Partial<TierReport> = {
  services_checked: [{ name: 'payments-db', status: 'down', detail: 'refused' }],
  escalation: { wanted: true, reason: 'down', services: ['payments-db', 'api'] },
};

const noSignals = {
  firing: [],
  reported: [],
  isUnnamedFiring: false,
  isUnnamedReported: false,
} as const;

function report(fields: Partial<TierReport>): TierReport {
  return { ...healthyReport, ...fields };
}

function check(service: string, status: CheckFact['status']): CheckFact {
  return { service, type: 'http', target: 'http://x', status, error: '', responseTimeMs: 1 };
}

function evidence(fields: Partial<Evidence> = {}): Evidence {
  return { provenHealthy: [], failedBefore: ['payments-db'], signals: noSignals, ...fields };
}

function facts(fields: Partial<EscalationFacts> = {}): EscalationFacts {
  return {
    tier: 1,
    report: report(request),
    handoffFile: { state: 'none' },
    checks: [],
    evidence: evidence(),
    budgets: [],
    cooldowns: [],
    pauses: [],
    snoozes: [],
    acknowledgements: [],
    maintenance: null,
    ...fields,
  };
}

const open: EscalationPolicy = {
  projectName: 'Checkout',
  maxTier: 3,
  enabledTiers: [1, 2, 3],
  dryRun: { project: false, installation: false, chain: false },
};

const restarted: CooldownFact = {
  service: 'payments-db',
  action: 'restart',
  used: 2,
  limit: 2,
  windowSeconds: 14_400,
  nextAllowedAt: new Date('2026-11-21T16:40:00Z'),
};
const bothRestarted = [restarted, { ...restarted, service: 'api', used: 3 }];
const action = { service: 'payments-db', action: 'restart', command: 'x', outcome: 'up' } as const;
const acted = [action];
const day = { scope: 'day', spentMicros: 10_000_000, limitMicros: 10_000_000 } as const;
const organizationPause = { scope: 'organization', by: 'Ana Ruiz', since: now } as const;
const dry = { project: false, installation: false, chain: false };
const acknowledgements = {
  service: 'payments-db',
  by: 'Ana Ruiz',
  chainNumber: 12,
  incidentNumber: null,
};
const patching = {
  name: 'Patching',
  effect: 'observe_only',
  startsAt: now,
  endsAt: later,
} as const;
const snoozed = [
  { service: 'payments-db', until: later },
  { service: 'api', until: later },
];

interface Row {
  title: string;
  facts: EscalationFacts;
  policy?: Partial<EscalationPolicy>;
  reason: EscalationReason;
  expected: object;
  sentence: string;
  /** A fact away, and this reason is not given. */
  neighbour: { facts?: Partial<EscalationFacts>; policy?: Partial<EscalationPolicy> };
}

const ROWS: Row[] = [
  {
    title: '[INC-1.1] a check that couldn’t run didn’t pass, so the chain isn’t healthy',
    facts: facts({
      report: healthyReport,
      checks: [check('api', 'healthy'), check('payments-db', 'unknown')],
    }),
    reason: 'UNCHECKED',
    expected: { kind: 'finish', outcome: 'findings', services: ['payments-db'], level: 'warning' },
    sentence: 'Tier 1 reported no problems, but some checks of payments-db couldn’t run.',
    neighbour: { facts: { checks: [check('api', 'healthy'), check('payments-db', 'healthy')] } },
  },
  {
    title: '[INC-1.1] a check that couldn’t run proves no outage, so a failing one outweighs it',
    facts: facts({
      report: healthyReport,
      checks: [check('api', 'down'), check('payments-db', 'unknown')],
    }),
    reason: 'CLAIM_CONTRADICTED',
    expected: { kind: 'finish', outcome: 'findings', services: ['api'] },
    sentence: 'Tier 1 reported no problems, but the last check found api unhealthy.',
    neighbour: { facts: { checks: [check('payments-db', 'unknown')] } },
  },
  {
    title: '[INC-1.1] a fix isn’t credited while a check can’t run',
    facts: facts({
      tier: 2,
      report: report({ ...healthyReport, actions_taken: acted, resolved: true }),
      checks: [check('payments-db', 'unknown')],
    }),
    reason: 'UNCHECKED',
    expected: { kind: 'finish', outcome: 'findings', services: ['payments-db'] },
    sentence: 'Tier 2 reported no problems, but some checks of payments-db couldn’t run.',
    neighbour: { facts: { checks: [check('payments-db', 'healthy')] } },
  },
  {
    title: '[INC-1.1] tier 3 needs no human because a check couldn’t run',
    facts: facts({ tier: 3, report: healthyReport, checks: [check('payments-db', 'unknown')] }),
    reason: 'UNCHECKED',
    expected: { kind: 'finish', outcome: 'findings' },
    sentence: 'Tier 3 reported no problems, but some checks of payments-db couldn’t run.',
    neighbour: { facts: { checks: [check('payments-db', 'down')] } },
  },
  {
    title: '[HND-1.3] healthy services end the chain',
    facts: facts({ report: healthyReport, checks: [check('payments-db', 'healthy')] }),
    reason: 'ALL_HEALTHY',
    expected: { kind: 'finish', outcome: 'healthy', services: [], level: 'info' },
    sentence: 'All services are healthy.',
    neighbour: { facts: { checks: [check('payments-db', 'degraded')] } },
  },
  {
    title: 'a recovery that nobody caused is healthy, not fixed',
    facts: facts({ tier: 2, report: healthyReport }),
    reason: 'RECOVERED',
    expected: { kind: 'finish', outcome: 'healthy' },
    sentence: 'All services are healthy; tier 2 changed nothing.',
    neighbour: { facts: { report: report({ actions_taken: acted }) } },
  },
  {
    title: '[HND-1.3] a fix at tier 2 ends the chain',
    facts: facts({ tier: 2, report: report({ resolved: true, actions_taken: acted }) }),
    reason: 'FIXED',
    expected: { kind: 'finish', outcome: 'fixed', services: ['payments-db'] },
    sentence: 'Tier 2 reported a fix for payments-db.',
    neighbour: { facts: { checks: [check('payments-db', 'down')] } },
  },
  {
    title: 'a fix at tier 3 ends the chain',
    facts: facts({ tier: 3, report: report({ resolved: true, actions_taken: acted }) }),
    reason: 'FIXED',
    expected: { kind: 'finish', outcome: 'fixed' },
    sentence: 'Tier 3 reported a fix for payments-db.',
    neighbour: { facts: { report: report({ resolved: false, actions_taken: acted }) } },
  },
  {
    title: 'tier 1 fixes nothing, whatever it reports',
    facts: facts({ report: report({ resolved: true, actions_taken: acted }) }),
    reason: 'ALL_HEALTHY',
    expected: { kind: 'finish', outcome: 'healthy' },
    sentence: 'All services are healthy.',
    neighbour: { facts: { tier: 2 } },
  },
  {
    title: 'trouble without a request is findings',
    facts: facts({
      report: report({ services_checked: [{ name: 'api', status: 'degraded', detail: 'slow' }] }),
    }),
    reason: 'FINDINGS',
    expected: { kind: 'finish', outcome: 'findings', services: ['api'], level: 'warning' },
    sentence: 'Tier 1 reported findings for api and requested no higher tier.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: 'a warning alone is findings',
    facts: facts({
      report: report({ findings: [{ service: 'web', severity: 'warning', message: 'm' }] }),
    }),
    reason: 'FINDINGS',
    expected: { kind: 'finish', outcome: 'findings', services: ['web'] },
    sentence: 'Tier 1 reported findings for web and requested no higher tier.',
    neighbour: {
      facts: {
        report: report({ findings: [{ service: 'web', severity: 'info', message: 'm' }] }),
      },
    },
  },
  {
    title: 'a check of the runner beats a report that says healthy',
    facts: facts({ report: healthyReport, checks: [check('web', 'down')] }),
    reason: 'CLAIM_CONTRADICTED',
    expected: { kind: 'finish', outcome: 'findings', services: ['web'], level: 'warning' },
    sentence: 'Tier 1 reported no problems, but the last check found web unhealthy.',
    neighbour: { facts: { checks: [check('web', 'down'), check('web', 'healthy')] } },
  },
  {
    title: 'a check of the runner beats a reported fix',
    facts: facts({
      tier: 2,
      report: report({ resolved: true, actions_taken: acted }),
      checks: [check('payments-db', 'healthy'), check('payments-db', 'down')],
    }),
    reason: 'CLAIM_CONTRADICTED',
    expected: { kind: 'finish', outcome: 'findings', services: ['payments-db'] },
    sentence: 'Tier 2 reported no problems, but the last check found payments-db unhealthy.',
    neighbour: { facts: { checks: [check('payments-db', 'healthy')] } },
  },
  {
    title: 'trouble that the report and a check agree on contradicts nothing',
    facts: facts({
      report: report({ services_checked: [{ name: 'web', status: 'down', detail: '' }] }),
      checks: [check('web', 'down')],
    }),
    reason: 'FINDINGS',
    expected: { kind: 'finish', outcome: 'findings', services: ['web'] },
    sentence: 'Tier 1 reported findings for web and requested no higher tier.',
    neighbour: { facts: { checks: [], report: healthyReport } },
  },
  {
    title: 'a fix that the report claims beside an unhealthy service, and a check denies',
    facts: facts({
      tier: 2,
      report: report({
        resolved: true,
        services_checked: [{ name: 'web', status: 'down', detail: '' }],
      }),
      checks: [check('web', 'down')],
    }),
    reason: 'CLAIM_CONTRADICTED',
    expected: { kind: 'finish', outcome: 'findings', services: ['web'] },
    sentence: 'Tier 2 reported no problems, but the last check found web unhealthy.',
    neighbour: { facts: { checks: [], report: healthyReport } },
  },
  {
    title: 'tier 1 has nothing to resolve, whatever its report says of it',
    facts: facts({ report: report({ resolved: false }) }),
    reason: 'ALL_HEALTHY',
    expected: { kind: 'finish', outcome: 'healthy' },
    sentence: 'All services are healthy.',
    neighbour: { facts: { report: healthyReport, checks: [check('web', 'down')] } },
  },
  {
    title: 'an unresolved tier 2 that asks for nothing is findings',
    facts: facts({ tier: 2, report: report({ resolved: false }) }),
    reason: 'NOT_RESOLVED',
    expected: { kind: 'finish', outcome: 'findings' },
    sentence: 'Tier 2 did not resolve the problem and requested no higher tier.',
    neighbour: { facts: { report: report({ resolved: true }) } },
  },
  {
    title: 'no report and no file gives no escalation',
    facts: facts({ report: null }),
    reason: 'REPORT_MISSING',
    expected: { kind: 'finish', outcome: 'findings' },
    sentence: 'Tier 1 ended without a report.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: "[HND-3.1] a report's request starts the next tier",
    facts: facts(),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', tier: 2, services: ['payments-db', 'api'] },
    sentence: 'Escalated to tier 2 for payments-db, api.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: 'tier 2 escalates to tier 3',
    facts: facts({ tier: 2 }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', tier: 3 },
    sentence: 'Escalated to tier 3 for payments-db, api.',
    neighbour: { policy: { maxTier: 2 } },
  },
  {
    title: '[HND-3.6] a request for tier 3 from tier 1 starts tier 2',
    facts: facts({
      report: null,
      handoffFile: { state: 'valid', recommendedTier: 3, services: ['api'] },
    }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', tier: 2, services: ['api'], notes: [{ code: 'TIER_CAPPED' }] },
    sentence: 'Escalated to tier 2 for api.',
    neighbour: { facts: { handoffFile: { state: 'none' } } },
  },
  {
    title: 'services come from file, report and checks',
    facts: facts({
      handoffFile: { state: 'valid', recommendedTier: 2, services: ['web'] },
      checks: [check('mail', 'down'), check('api', 'down')],
    }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', services: ['web', 'payments-db', 'api', 'mail'], notes: [] },
    sentence: 'Escalated to tier 2 for web, payments-db, api, mail.',
    neighbour: { policy: { dryRun: { ...dry, chain: true } } },
  },
  {
    title: "a forgotten handoff file does not hide the report's request",
    facts: facts({ handoffFile: { state: 'absent' } }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', notes: [{ level: 'warning', code: 'HANDOFF_ABSENT' }] },
    sentence: 'Escalated to tier 2 for payments-db, api.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: 'a request against the checks that ran is followed where others didn’t, and noted',
    facts: facts({ checks: [check('payments-db', 'healthy')] }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', notes: [{ level: 'warning', code: 'CLAIM_CONTRADICTED' }] },
    sentence: 'Escalated to tier 2 for payments-db, api.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: '[HLD-3.4] a request for services whose every check passed starts nothing',
    facts: facts({ evidence: evidence({ provenHealthy: ['payments-db', 'api'] }) }),
    policy: { maxTier: 1 },
    reason: 'CHECKS_HEALTHY',
    expected: {
      kind: 'finish',
      outcome: 'findings',
      services: ['payments-db', 'api'],
      level: 'warning',
    },
    sentence:
      'Tier 1 requested tier 2 for payments-db, api, but every check of them passed in the same attempt. Tier 2 was not started.',
    neighbour: { facts: { evidence: evidence({ provenHealthy: ['api'] }) } },
  },
  {
    title: '[HLD-3.4] nor does a handoff file that names only such services',
    facts: facts({
      tier: 2,
      report: null,
      handoffFile: { state: 'valid', recommendedTier: 3, services: ['api'] },
      evidence: evidence({ provenHealthy: ['api'] }),
    }),
    reason: 'CHECKS_HEALTHY',
    expected: { kind: 'finish', outcome: 'findings', services: ['api'] },
    sentence:
      'Tier 2 requested tier 3 for api, but every check of it passed in the same attempt. Tier 3 was not started.',
    neighbour: { facts: { evidence: evidence() } },
  },
  {
    title: '[HLD-3.4] a service that is proven healthy is left out of the escalation of another',
    facts: facts({ evidence: evidence({ provenHealthy: ['api'] }) }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', services: ['payments-db'] },
    sentence: 'Escalated to tier 2 for payments-db.',
    neighbour: { facts: { evidence: evidence({ provenHealthy: ['api', 'payments-db'] }) } },
  },
  {
    title: '[HLD-3.4] a firing alert says what its checks don’t see',
    facts: facts({
      evidence: evidence({
        provenHealthy: ['payments-db', 'api'],
        signals: { ...noSignals, firing: ['api'] },
      }),
    }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', services: ['api'] },
    sentence: 'Escalated to tier 2 for api.',
    neighbour: {
      facts: {
        evidence: evidence({
          provenHealthy: ['payments-db', 'api'],
          signals: { ...noSignals, reported: ['api'] },
        }),
      },
    },
  },
  {
    title: '[HLD-3.4] so does one that names no service, if the chain was started for it',
    facts: facts({
      evidence: evidence({
        provenHealthy: ['payments-db', 'api'],
        signals: { ...noSignals, isUnnamedFiring: true },
      }),
    }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', services: ['payments-db', 'api'] },
    sentence: 'Escalated to tier 2 for payments-db, api.',
    neighbour: {
      facts: {
        evidence: evidence({
          provenHealthy: ['payments-db', 'api'],
          signals: { ...noSignals, isUnnamedReported: true },
        }),
      },
    },
  },
  {
    title: '[HLD-3.1] a request that names no service of the project needs a human',
    facts: facts({
      report: report({ escalation: { wanted: true, reason: 'down', services: [] } }),
    }),
    policy: { maxTier: 1 },
    reason: 'NO_SERVICE',
    expected: { kind: 'needs_human', why: 'no_service', tier: 2, services: [], level: 'critical' },
    sentence:
      'Tier 1 requested tier 2 and named no service of Checkout. Tier 2 was not started; read the report of tier 1.',
    neighbour: { facts: { checks: [check('api', 'down')] } },
  },
  {
    title: '[HLD-3.4] a fix of what nothing showed to be broken is no fix',
    facts: facts({
      tier: 2,
      report: report({ resolved: true, actions_taken: acted }),
      checks: [check('payments-db', 'healthy')],
      evidence: evidence({ failedBefore: [] }),
    }),
    reason: 'FIX_UNPROVEN',
    expected: { kind: 'finish', outcome: 'healthy', services: ['payments-db'], level: 'warning' },
    sentence:
      'Tier 2 reported a fix for payments-db, but no check or alert showed a problem before it.',
    neighbour: { facts: { evidence: evidence() } },
  },
  {
    title: '[HLD-3.4] an alert shows a problem as a failed check does',
    facts: facts({
      tier: 2,
      report: report({ resolved: true, actions_taken: acted }),
      evidence: evidence({
        failedBefore: [],
        signals: { ...noSignals, reported: ['payments-db'] },
      }),
    }),
    reason: 'FIXED',
    expected: { kind: 'finish', outcome: 'fixed', services: ['payments-db'] },
    sentence: 'Tier 2 reported a fix for payments-db.',
    neighbour: { facts: { evidence: evidence({ failedBefore: [] }) } },
  },
  {
    title: '[HLD-3.4] a fix is credited for what was broken, not for what was acted on',
    facts: facts({
      tier: 2,
      report: report({ resolved: true, actions_taken: acted }),
      evidence: evidence({ failedBefore: ['api'] }),
    }),
    reason: 'FIXED',
    expected: { kind: 'finish', outcome: 'fixed', services: ['api'] },
    sentence: 'Tier 2 reported a fix for api.',
    neighbour: { facts: { evidence: evidence({ failedBefore: [] }) } },
  },
  {
    title: '[HND-3.3] dry run of the project',
    facts: facts(),
    policy: { dryRun: { ...dry, project: true } },
    reason: 'DRY_RUN',
    expected: { kind: 'suppress', why: 'dry_run', tier: 2, level: 'info' },
    sentence:
      'Escalation suppressed (dry run): would have escalated to tier 2 for: payments-db, api',
    neighbour: { policy: { dryRun: dry } },
  },
  {
    title: '[HND-3.7] dry run of the installation, after tier 2 with a handoff file',
    facts: facts({
      tier: 2,
      report: null,
      handoffFile: { state: 'valid', recommendedTier: 3, services: ['api'] },
    }),
    policy: { dryRun: { ...dry, installation: true } },
    reason: 'DRY_RUN',
    expected: { kind: 'suppress', why: 'dry_run', tier: 3 },
    sentence: 'Escalation suppressed (dry run): would have escalated to tier 3 for: api',
    neighbour: { policy: { dryRun: dry } },
  },
  {
    title: 'dry run of one chain',
    facts: facts(),
    policy: { dryRun: { ...dry, chain: true } },
    reason: 'DRY_RUN',
    expected: { kind: 'suppress', why: 'dry_run' },
    sentence:
      'Escalation suppressed (dry run): would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: 'a paused organization',
    facts: facts({ pauses: [organizationPause] }),
    reason: 'PAUSED',
    expected: { kind: 'suppress', why: 'paused', tier: 2 },
    sentence:
      'Escalation suppressed (paused): the organization is paused by Ana Ruiz. Would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { pauses: [] } },
  },
  {
    title: 'a pause of the next tier, and of no other',
    facts: facts({ pauses: [{ scope: 'tier', tier: 2, by: 'Ana Ruiz', since: now }] }),
    reason: 'PAUSED',
    expected: { kind: 'suppress', why: 'paused' },
    sentence:
      'Escalation suppressed (paused): tier 2 of Checkout is paused by Ana Ruiz. Would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { pauses: [{ scope: 'tier', tier: 3, by: 'Ana Ruiz', since: now }] } },
  },
  {
    title: 'every affected service is snoozed',
    facts: facts({ snoozes: snoozed }),
    policy: { maxTier: 1 },
    reason: 'SNOOZED',
    expected: { kind: 'suppress', why: 'snoozed' },
    sentence:
      'Escalation suppressed (snoozed): payments-db, api are snoozed. Would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { snoozes: snoozed.map((one) => ({ ...one, until: now })) } },
  },
  {
    title: '[SAS-4.3] every affected service is in a person’s hands, or snoozed',
    facts: facts({ acknowledgements: [acknowledgements], snoozes: snoozed.slice(1) }),
    policy: { maxTier: 1 },
    reason: 'ACKNOWLEDGED',
    expected: { kind: 'suppress', why: 'acknowledged' },
    sentence:
      'Escalation suppressed (acknowledged): Ana Ruiz has acknowledged payments-db since Chain #12. Would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { snoozes: [] }, policy: { maxTier: 3 } },
  },
  {
    title: '[SAS-4.3] a maintenance window, of either effect',
    facts: facts({ maintenance: patching }),
    reason: 'MAINTENANCE',
    expected: { kind: 'suppress', why: 'maintenance' },
    sentence:
      'Escalation suppressed (maintenance): the maintenance window “Patching” is open until 2026-11-21 15:00 UTC. Would have escalated to tier 2 for: payments-db, api',
    neighbour: { facts: { maintenance: null } },
  },
  {
    title: 'a snoozed service is left out of the escalation of another',
    facts: facts({ snoozes: snoozed.slice(0, 1) }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', services: ['api'] },
    sentence: 'Escalated to tier 2 for api.',
    neighbour: { facts: { snoozes: snoozed } },
  },
  {
    title: '[HND-3.4] above the maximum tier a human is needed',
    facts: facts({ tier: 2 }),
    policy: { maxTier: 2 },
    reason: 'MAX_TIER',
    expected: { kind: 'needs_human', why: 'max_tier', tier: 3, level: 'critical' },
    sentence: 'Tier 3 is needed but the maximum for Checkout is tier 2.',
    neighbour: { facts: { tier: 1 } },
  },
  {
    title: 'a tier that is turned off',
    facts: facts(),
    policy: { enabledTiers: [1] },
    reason: 'TIER_DISABLED',
    expected: { kind: 'needs_human', why: 'max_tier' },
    sentence: 'Tier 2 is needed but it is turned off for Checkout.',
    neighbour: { policy: { enabledTiers: [1, 2] } },
  },
  {
    title: 'a budget that is used up',
    facts: facts({ budgets: [day] }),
    reason: 'BUDGET',
    expected: { kind: 'needs_human', why: 'budget' },
    sentence: "Checkout reached today's budget of $10.00. Tier 2 is needed and was not started.",
    neighbour: { facts: { budgets: [{ ...day, spentMicros: 9_999_999 }] } },
  },
  {
    title: 'cooldowns that leave tier 2 nothing to do',
    facts: facts({ cooldowns: bothRestarted }),
    reason: 'COOLDOWN',
    expected: { kind: 'needs_human', why: 'cooldown' },
    sentence:
      'payments-db was restarted twice in the last 4h. The next restart is allowed at 16:40 UTC. api was restarted 3 times in the last 4h. The next restart is allowed at 16:40 UTC. Tier 2 was not started, since it could not act.',
    neighbour: { facts: { cooldowns: [restarted] } },
  },
  {
    title: 'tier 3 may still redeploy when restarts are used up',
    facts: facts({ tier: 2, cooldowns: bothRestarted }),
    reason: 'ESCALATED',
    expected: { kind: 'escalate', tier: 3 },
    sentence: 'Escalated to tier 3 for payments-db, api.',
    neighbour: {
      facts: {
        cooldowns: [
          ...bothRestarted,
          ...bothRestarted.map((rule) => ({ ...rule, action: 'redeploy' as const })),
        ],
      },
    },
  },
  {
    title: '[HND-3.5] after tier 3 nothing starts, whatever it asks for',
    facts: facts({ tier: 3 }),
    reason: 'TIER3_UNRESOLVED',
    expected: {
      kind: 'needs_human',
      why: 'tier3_unresolved',
      tier: null,
      notes: [{ code: 'NO_TIER_ABOVE_3' }],
    },
    sentence: 'Tier 3 ended and left payments-db, api unresolved. No tier is above it.',
    neighbour: { facts: { report: healthyReport } },
  },
  {
    title: '[HND-3.7] a handoff file of tier 3 calls a human, even when invalid',
    facts: facts({
      tier: 3,
      report: report({ resolved: true }),
      handoffFile: { state: 'invalid', error: 'x' },
    }),
    reason: 'TIER3_UNRESOLVED',
    expected: { kind: 'needs_human', why: 'tier3_unresolved' },
    sentence: 'Tier 3 ended without resolving the problem. No tier is above it.',
    neighbour: { facts: { handoffFile: { state: 'none' } } },
  },
  {
    title: 'a failing check after tier 3 calls a human, even when tier 3 reports a fix',
    facts: facts({
      tier: 3,
      report: report({ resolved: true, actions_taken: acted }),
      checks: [check('payments-db', 'degraded')],
    }),
    reason: 'TIER3_UNRESOLVED',
    expected: { kind: 'needs_human', why: 'tier3_unresolved', services: ['payments-db'] },
    sentence: 'Tier 3 ended and left payments-db unresolved. No tier is above it.',
    neighbour: { facts: { checks: [check('payments-db', 'healthy')] } },
  },
  {
    title: '[HND-6.1] an unreadable handoff breaks the chain, whatever the report asks for',
    facts: facts({ handoffFile: { state: 'unreadable', error: 'the file is not JSON' } }),
    reason: 'HANDOFF_UNREADABLE',
    expected: { kind: 'blocked', why: 'handoff_unreadable', level: 'critical' },
    sentence: 'Escalation blocked: could not read handoff from tier 1 — the file is not JSON',
    neighbour: { facts: { handoffFile: { state: 'none' } } },
  },
  {
    title: '[HND-1.2] an invalid handoff breaks the chain',
    facts: facts({
      report: healthyReport,
      handoffFile: { state: 'invalid', error: 'check_results is missing' },
    }),
    policy: { dryRun: { ...dry, project: true } },
    reason: 'HANDOFF_INVALID',
    expected: { kind: 'blocked', why: 'handoff_invalid', level: 'critical' },
    sentence: 'Escalation blocked: invalid handoff from tier 1 — check_results is missing',
    neighbour: { facts: { handoffFile: { state: 'none' } } },
  },
];

describe('decideEscalation', () => {
  it.each(ROWS)('$title', (row) => {
    const policy = { ...open, ...row.policy };
    const decision = decideEscalation(row.facts, policy, now);
    expect(decision.reason).toBe(row.reason);
    expect(decision).toMatchObject(row.expected);
    expect(decision.sentence).toBe(row.sentence);

    const near = decideEscalation(
      { ...row.facts, ...row.neighbour.facts },
      { ...policy, ...row.neighbour.policy },
      now,
    );
    expect(near.reason === row.reason && near.kind === decision.kind).toBe(false);
  });

  it('[INC-1.1] says that a request contradicts the checks only if all of them ran', () => {
    const codes = (checks: CheckFact[]) =>
      decideEscalation(facts({ checks }), open, now).notes.map(({ code }) => code);
    expect(codes([check('api', 'healthy')])).toContain('CLAIM_CONTRADICTED');
    expect(codes([check('api', 'healthy'), check('payments-db', 'unknown')])).toEqual([]);
  });

  it('has a row for every reason', () => {
    expect(new Set(ROWS.map((row) => row.reason))).toEqual(new Set(ESCALATION_REASONS));
  });

  it('[HND-3.6] never starts a tier other than the one above, for any request', () => {
    for (const tier of [1, 2, 3] as const) {
      for (const recommendedTier of [2, 3] as const) {
        const decision = decideEscalation(
          facts({ tier, handoffFile: { state: 'valid', recommendedTier, services: ['api'] } }),
          open,
          now,
        );
        expect(decision.kind === 'escalate' ? decision.tier : null).toBe(
          tier === 3 ? null : tier + 1,
        );
      }
    }
  });

  it('asks a person who snoozed or paused before it calls anyone', () => {
    const everything = facts({
      pauses: [organizationPause],
      budgets: [day],
      cooldowns: bothRestarted,
    });
    expect(decideEscalation(everything, { ...open, maxTier: 1 }, now).reason).toBe('PAUSED');
  });

  it('[HND-3.4] names the maximum in dry run too, since no dry run would have gone further', () => {
    const policy = { ...open, maxTier: 1 as const, dryRun: { ...dry, project: true } };
    expect(decideEscalation(facts(), policy, now).reason).toBe('MAX_TIER');
  });
});

describe('chainOutcomeOf', () => {
  it.each<[Partial<EscalationFacts>, Partial<EscalationPolicy>, string | null]>([
    [{ report: healthyReport }, {}, 'healthy'],
    [{ report: null }, {}, 'findings'],
    [{ tier: 2, report: report({ resolved: true }) }, {}, 'fixed'],
    [{}, {}, null],
    [{}, { dryRun: { ...dry, chain: true } }, 'suppressed'],
    [{}, { maxTier: 1 }, 'needs_human'],
    [{ handoffFile: { state: 'invalid', error: 'x' } }, {}, 'failed'],
  ])('%#', (fields, policy, outcome) => {
    expect(chainOutcomeOf(decideEscalation(facts(fields), { ...open, ...policy }, now))).toBe(
      outcome,
    );
  });
});
