import { describe, expect, it } from 'vitest';
import type { TierReport } from '@/lib/protocol/report';
import type { CheckFact } from './affected';
import { decideReconciled, type ReconciledFacts } from './reconciled';

const REPORT: TierReport = {
  summary: 'web answers again.',
  services_checked: [{ name: 'web', status: 'healthy', detail: '' }],
  findings: [],
  escalation: { wanted: false, reason: '', services: [] },
  actions_taken: [],
};

const check = (service: string, status: CheckFact['status']): CheckFact => ({
  service,
  type: 'http',
  target: `http://${service}/health`,
  status,
  error: status === 'healthy' ? '' : 'connection refused',
  responseTimeMs: null,
});

const FACTS: ReconciledFacts = {
  tier: 2,
  report: REPORT,
  failure: 'Runner eu-1 lost the agent.',
  startedFor: ['web'],
  checks: [],
  ownChecks: [],
};

const reported = (changes: Partial<TierReport>): Partial<ReconciledFacts> => ({
  report: { ...REPORT, ...changes },
});

function concluded(facts: Partial<ReconciledFacts>): string {
  const { outcome, reason, services } = decideReconciled({ ...FACTS, ...facts });
  return `${outcome} ${reason} ${services.join(',')}`.trim();
}

describe('decideReconciled', () => {
  it.each<[string, Partial<ReconciledFacts>, string]>([
    ['the report calls the service healthy', {}, 'healthy RECONCILED_HEALTHY'],
    [
      'a check of its own shows the service healthy',
      { ...reported({ services_checked: [] }), ownChecks: [check('web', 'healthy')] },
      'healthy RECONCILED_HEALTHY',
    ],
    [
      '[INC-1.1] a check of its own that could not run',
      { ownChecks: [check('web', 'unknown')], checks: [check('web', 'unknown')] },
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'a newer check outweighs the one from before',
      { checks: [check('web', 'down'), check('web', 'healthy')] },
      'healthy RECONCILED_HEALTHY',
    ],
    [
      'an informational finding',
      reported({
        findings: [{ service: 'web', severity: 'info', message: 'restarted 2 min ago' }],
      }),
      'healthy RECONCILED_HEALTHY',
    ],
    [
      'a check contradicts the report',
      { checks: [check('web', 'down')], ownChecks: [check('web', 'down')] },
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'a check from before was never repeated',
      { checks: [check('db', 'down')] },
      'needs_human RECONCILED_UNRESOLVED db',
    ],
    [
      'the report calls a service degraded',
      reported({ services_checked: [{ name: 'web', status: 'degraded', detail: '' }] }),
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'still broken, and tier 3 was requested',
      reported({ escalation: { wanted: true, reason: 'still down', services: ['web', 'db'] } }),
      'needs_human RECONCILED_UNRESOLVED web,db',
    ],
    [
      'a request that names no service',
      reported({ escalation: { wanted: true, reason: '', services: [] } }),
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'something is half finished',
      reported({ resolved: false }),
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'a warning',
      reported({ findings: [{ service: 'db', severity: 'warning', message: 'half migrated' }] }),
      'needs_human RECONCILED_UNRESOLVED db',
    ],
    [
      'a warning about no service',
      reported({ findings: [{ severity: 'critical', message: 'half migrated' }] }),
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'a service that the tier was started for was not looked at',
      { startedFor: ['web', 'db'] },
      'needs_human RECONCILED_UNRESOLVED web,db',
    ],
    [
      'a service of unknown status',
      reported({ services_checked: [{ name: 'web', status: 'unknown', detail: '' }] }),
      'needs_human RECONCILED_UNRESOLVED web',
    ],
    [
      'nothing was looked at',
      { ...reported({ services_checked: [] }), startedFor: [] },
      'needs_human RECONCILED_UNRESOLVED',
    ],
    [
      'no valid report',
      { report: null, checks: [check('db', 'down')] },
      'needs_human RECONCILE_FAILED web,db',
    ],
  ])('[ENG-5.2] %s', (_title, facts, expected) => {
    expect(concluded(facts)).toBe(expected);
  });

  it('[ENG-5.2] says what was found, what was not looked at and what was requested', () => {
    const wanted = { wanted: true, reason: '', services: ['web'] };
    const facts = { ...FACTS, ...reported({ escalation: wanted }), startedFor: ['web', 'db'] };
    expect(decideReconciled(facts).sentence).toBe(
      "An observe-only attempt reported problems with web, without a check by the runner. It reported nothing about db. It requested tier 3, which isn't started after an unfinished tier 2.",
    );
    expect(decideReconciled({ ...facts, tier: 3 }).sentence).toContain(
      'It requested a higher tier, and there is none.',
    );
  });

  it('[ENG-5.2] carries the summary, and none of an attempt that did not report', () => {
    expect(decideReconciled(FACTS).summary).toBe('web answers again.');
    const failed = decideReconciled({ ...FACTS, report: null });
    expect(failed).toMatchObject({
      summary: '',
      sentence:
        "The observe-only attempt that followed didn't report. Runner eu-1 lost the agent. The current state of web isn't known. Check it yourself.",
    });
  });
});

describe('what a chain says after an observe-only check', () => {
  const told = (facts: Partial<ReconciledFacts>) =>
    decideReconciled({ ...FACTS, ...facts }).sentence;

  it.each<[string, Partial<ReconciledFacts>, string]>([
    [
      'names the broken services',
      { checks: [check('web', 'down')], ownChecks: [check('web', 'down')] },
      'An observe-only check found problems with web.',
    ],
    [
      'says that a problem without a service is open',
      reported({ resolved: false }),
      'An observe-only attempt reported unresolved problems.',
    ],
    [
      'names what it saw nothing of',
      { ...reported({ services_checked: [] }), startedFor: ['web', 'db'] },
      'An observe-only attempt examined no service. It reported nothing about web, db.',
    ],
    [
      'credits a check with what it saw alone',
      {
        startedFor: ['web', 'db', 'cache'],
        ...reported({ services_checked: [{ name: 'db', status: 'healthy', detail: '' }] }),
        ownChecks: [check('web', 'healthy')],
      },
      'An observe-only check found web healthy. An observe-only attempt reported no problems with db, without a check by the runner. It reported nothing about cache.',
    ],
    [
      'says so where a report is all there is',
      {},
      "An observe-only attempt reported no problems with web, without a check by the runner. What fixed this isn't known.",
    ],
    [
      'names what its checks found healthy',
      { ...reported({ services_checked: [] }), ownChecks: [check('web', 'healthy')] },
      "An observe-only check found web healthy. What fixed this isn't known.",
    ],
    [
      'keeps apart what was checked, reported, and checked before it',
      {
        ...reported({ services_checked: [{ name: 'cache', status: 'down', detail: '' }] }),
        checks: [check('db', 'down'), check('web', 'down')],
        ownChecks: [check('web', 'down')],
      },
      "An observe-only check found problems with web. An observe-only attempt reported problems with cache, without a check by the runner. The last check of db failed and wasn't repeated.",
    ],
    [
      'says what the checks of an attempt without a report found',
      { report: null, startedFor: ['web', 'db'], ownChecks: [check('db', 'down')] },
      "The observe-only attempt that followed didn't report. Runner eu-1 lost the agent. Its checks found db unhealthy. The current state of web isn't known. Check it yourself.",
    ],
    [
      'says what is open where an attempt without a report had checked everything',
      { report: null, ownChecks: [check('web', 'healthy')] },
      "Its checks found web healthy. What the unfinished work left behind isn't known. Check it yourself.",
    ],
    [
      'names the services whose state is unknown',
      { report: null },
      "The observe-only attempt that followed didn't report. Runner eu-1 lost the agent. The current state of web isn't known. Check it yourself.",
    ],
    [
      'names none where it started for none',
      { report: null, startedFor: [] },
      "The observe-only attempt that followed didn't report. Runner eu-1 lost the agent. The current state isn't known. Check it yourself.",
    ],
  ])('[ENG-5.2] %s', (_title, facts, sentence) => {
    expect(told(facts)).toContain(sentence);
  });

  it.each<[string, Partial<ReconciledFacts>]>([
    ['an attempt that was lost', { report: null }],
    [
      'one that was lost, where a check before it had failed',
      { report: null, checks: [check('web', 'down')] },
    ],
    ['a report alone', {}],
    ['a report of problems alone', reported({ resolved: false })],
    ['a report about nothing', reported({ services_checked: [] })],
  ])('[ENG-5.2] claims no check without one: %s', (_title, facts) => {
    expect(told(facts)).not.toMatch(/check found|checks found|was checked|is in the report/);
  });
});
