import { describe, expect, it } from 'vitest';
import type { CheckFact } from '@/lib/engine/escalation/affected';
import type { TierReport } from '@/lib/protocol/report';
import { DOWN, HANDOFF_FACTS, REPORT } from '@/tests/support/handoff-facts';
import { buildHandoff, type HandoffFacts, handoffCheckType } from './build';
import { parseHandoff } from './parse';
import { handoffSchema } from './schema';

describe('buildHandoff', () => {
  it('[HND-9.1] builds from checks, report and cooldown state what parseHandoff accepts', () => {
    const handoff = buildHandoff(HANDOFF_FACTS);
    expect(handoff).toEqual({
      schema_version: 1,
      recommended_tier: 2,
      services_affected: ['payments-db'],
      summary: 'payments-db is down.',
      escalation_reason: 'Needs a restart.',
      findings: [
        { service: 'payments-db', severity: 'critical', message: 'It refuses connections.' },
      ],
      check_results: [
        {
          service: 'payments-db',
          check_type: 'service',
          status: 'down',
          error: 'connection refused',
          response_time_ms: 3,
          detail: 'refused',
        },
        { service: 'web', check_type: 'service', status: 'healthy', error: '' },
      ],
      cooldown_state: { 'payments-db': { restart: { used: 1, limit: 2 } } },
    });
    expect(parseHandoff(JSON.stringify(handoff), 1)).toEqual({ ok: true, handoff });
  });

  it.each([
    ['tcp', 'service'],
    ['process', 'service'],
    ['http', 'http'],
    ['dns', 'dns'],
    ['container', 'container'],
    ['database', 'database'],
    ['service', 'service'],
    [undefined, 'service'],
  ])('[HND-1.4] writes check type %s as %s', (type, expected) => {
    expect(handoffCheckType(type)).toBe(expected);
  });

  it('takes only the newest result of a check', () => {
    const handoff = buildHandoff({
      ...HANDOFF_FACTS,
      checks: [DOWN, { ...DOWN, status: 'degraded', error: 'slow' }],
    });
    expect(handoff.check_results.filter((check) => check.service === 'payments-db')).toMatchObject([
      { status: 'degraded', error: 'slow' },
    ]);
  });

  it('marks what the agent only said', () => {
    const handoff = buildHandoff({ ...HANDOFF_FACTS, checks: [] });
    expect(handoff.check_results[0]).toMatchObject({
      status: 'down',
      error: 'refused (reported by tier 1, not measured)',
    });
  });

  describe('[ENG-5.3] carries what the tier found', () => {
    const checked = (
      services_checked: TierReport['services_checked'],
      checks: CheckFact[] = [DOWN],
    ) => buildHandoff({ ...HANDOFF_FACTS, checks, report: { ...REPORT, services_checked } });

    it('every finding, also one about a service whose status was not clear', () => {
      const findings = Array.from({ length: 120 }, (_, index) => ({
        severity: 'warning' as const,
        message: `finding ${index}`,
      }));
      const services_checked = [
        { name: 'mail', status: 'unknown' as const, detail: 'The log is not readable.' },
      ];
      const handoff = buildHandoff({
        ...HANDOFF_FACTS,
        report: { ...REPORT, findings, services_checked },
      });
      expect(handoff.findings).toEqual([
        ...findings,
        {
          service: 'mail',
          severity: 'info',
          message: "Tier 1 couldn't tell the status: The log is not readable.",
        },
      ]);
    });

    it('the investigation of tier 1, where it reported one', () => {
      const investigated = { ...REPORT, investigation_findings: 'The port is closed.' };
      expect(buildHandoff({ ...HANDOFF_FACTS, report: investigated }).investigation_findings).toBe(
        'The port is closed.',
      );
      expect(buildHandoff(HANDOFF_FACTS).investigation_findings).toBeUndefined();
    });

    const http: CheckFact = { ...DOWN, type: 'http', target: 'http://db/', status: 'healthy' };
    it.each<[string, TierReport['services_checked'][number], (string | undefined)[]]>([
      [
        'on the check of its type',
        { name: 'payments-db', check_type: 'tcp', status: 'down', detail: 'port closed' },
        ['port closed', undefined],
      ],
      [
        'on the check of its status, without a type',
        { name: 'payments-db', status: 'healthy', detail: 'answers slowly' },
        [undefined, 'answers slowly'],
      ],
      [
        'with the reported status where no check agrees',
        { name: 'payments-db', status: 'degraded', detail: 'slow' },
        [undefined, 'Tier 1 reported degraded: slow'],
      ],
      [
        'not at all where it repeats the error',
        { name: 'payments-db', status: 'down', detail: DOWN.error },
        [undefined, undefined],
      ],
    ])("a measured service's detail stands %s", (_title, service, expected) => {
      const { check_results } = checked([service], [DOWN, http]);
      expect(check_results.map(({ detail }) => detail)).toEqual(expected);
    });

    it('[INC-1.1] a check that could not run as a finding, never as a result', () => {
      const unknown: CheckFact = { ...DOWN, status: 'unknown', error: 'No docker here.' };
      const { check_results, findings } = checked([], [http, unknown]);
      expect(check_results.map(({ status }) => status)).toEqual(['healthy']);
      expect(findings).toContainEqual({
        service: 'payments-db',
        severity: 'info',
        message: `The check ${DOWN.type} ${DOWN.target} couldn't run: No docker here.`,
      });
    });

    it('the detail of a healthy service that nothing measured', () => {
      const { check_results } = checked([{ name: 'web', status: 'healthy', detail: '200 in 9 s' }]);
      expect(check_results[1]).toMatchObject({ service: 'web', error: '', detail: '200 in 9 s' });
    });

    it('what tier 2 reports about a service that only tier 1 had measured', () => {
      const handoff = buildHandoff({
        ...HANDOFF_FACTS,
        tier: 2,
        previous: buildHandoff(HANDOFF_FACTS),
        checks: [],
        report: {
          ...REPORT,
          services_checked: [{ name: 'payments-db', status: 'down', detail: 'disk full' }],
        },
      });
      expect(handoff.check_results.at(-1)).toMatchObject({
        service: 'payments-db',
        error: 'disk full (reported by tier 2, not measured)',
      });
    });

    it('a new detail of an unchanged result', () => {
      const handoff = buildHandoff({
        ...HANDOFF_FACTS,
        tier: 2,
        previous: buildHandoff(HANDOFF_FACTS),
        report: {
          ...REPORT,
          services_checked: [{ name: 'payments-db', status: 'down', detail: 'disk full' }],
        },
      });
      expect(handoff.check_results.map(({ detail }) => detail)).toEqual([
        'refused',
        undefined,
        'disk full',
      ]);
    });

    it('from tier 2 also what tier 1 reported', () => {
      const handoff = buildHandoff({
        ...HANDOFF_FACTS,
        tier: 2,
        previous: buildHandoff(HANDOFF_FACTS),
      });
      expect(handoff.earlier_reports).toEqual([
        {
          tier: 1,
          summary: 'payments-db is down.',
          escalation_reason: 'Needs a restart.',
          findings: REPORT.findings,
        },
      ]);
      const bare = buildHandoff({ ...HANDOFF_FACTS, report: null });
      expect(
        buildHandoff({ ...HANDOFF_FACTS, tier: 2, previous: bare }).earlier_reports,
      ).toBeUndefined();
    });

    it('survives being stored and read', () => {
      const handoff = buildHandoff({
        ...HANDOFF_FACTS,
        tier: 2,
        previous: buildHandoff(HANDOFF_FACTS),
      });
      const stored = JSON.parse(JSON.stringify(handoff));
      expect(handoffSchema.parse(stored)).toEqual(handoff);
    });
  });

  it('[HND-1.4] is valid even when the agent reported nothing but a request', () => {
    const bare = { ...REPORT, services_checked: [], findings: [] };
    for (const tier of [1, 2] as const) {
      const handoff = buildHandoff({ ...HANDOFF_FACTS, tier, report: bare, checks: [] });
      expect(parseHandoff(JSON.stringify(handoff), tier)).toMatchObject({ ok: true });
      expect(handoff.check_results).toHaveLength(1);
    }
    const silent = buildHandoff({ ...HANDOFF_FACTS, tier: 2, report: null, checks: [] });
    expect(silent.investigation_findings).toBe('Tier 2 reported no findings.');
  });

  describe('where a tier reported nothing that it found', () => {
    const checkpoint = {
      digest: 'The disk of db-2 is full.',
      at: new Date('2026-11-22T12:00:00Z'),
    };
    const findingsOf = (changes: Partial<HandoffFacts>) => {
      const handoff = buildHandoff({ ...HANDOFF_FACTS, checkpoint, ...changes });
      expect(parseHandoff(JSON.stringify(handoff), handoff.recommended_tier === 2 ? 1 : 2)).toEqual(
        {
          ok: true,
          handoff,
        },
      );
      return handoff.investigation_findings;
    };
    const words =
      'reported no findings. Its checkpoint of 2026-11-22T12:00:00.000Z says:\nThe disk of db-2 is full.';

    it('[CKP-4.1] its newest checkpoint speaks for it, and says that it is one', () => {
      const silent = { ...REPORT, summary: ' ', findings: [] };
      expect(findingsOf({ tier: 2, report: null })).toBe(`Tier 2 ${words}`);
      expect(findingsOf({ tier: 2, report: silent })).toBe(`Tier 2 ${words}`);
    });

    it('[CKP-4.1] it never stands in for what was reported', () => {
      expect(findingsOf({ tier: 2 })).toBe('It refuses connections.');
      expect(findingsOf({ tier: 1, report: null })).toBeUndefined();
    });

    it('[CKP-4.1] it is cut to what a handoff holds of it', () => {
      const long = { ...checkpoint, digest: 'x'.repeat(5_000) };
      const text = findingsOf({ tier: 2, report: null, checkpoint: long });
      expect(text?.endsWith(`${'x'.repeat(1_000)} [cut]`)).toBe(true);
    });

    it('[HND-1.4] without a checkpoint, or with an empty one, it says so', () => {
      const empty = { ...checkpoint, digest: ' ' };
      for (const none of [null, empty])
        expect(findingsOf({ tier: 2, report: null, checkpoint: none })).toBe(
          'Tier 2 reported no findings.',
        );
    });
  });

  it('[HND-1.4] tier 2 passes on the check results of tier 1, and adds newer ones', () => {
    const previous = buildHandoff(HANDOFF_FACTS);
    const handoff = buildHandoff({
      ...HANDOFF_FACTS,
      tier: 2,
      previous,
      checks: [{ ...DOWN, error: 'disk full' }],
      cooldownState: { 'payments-db': { restart: { used: 2, limit: 2 } } },
      report: {
        ...REPORT,
        investigation_findings: 'The disk is full.',
        actions_taken: [
          {
            service: 'payments-db',
            action: 'restart',
            command: 'docker restart payments-db',
            outcome: 'came up, fell over',
          },
        ],
      },
    });
    expect(handoff.check_results.slice(0, 2)).toEqual(previous.check_results);
    expect(handoff.check_results[2]).toMatchObject({ error: 'disk full' });
    expect(handoff.cooldown_state).toEqual({ 'payments-db': { restart: { used: 2, limit: 2 } } });
    expect(handoff.recommended_tier).toBe(3);
    expect(handoff.investigation_findings).toBe('The disk is full.');
    expect(handoff.remediation_attempted).toContain('docker restart payments-db');
  });

  it('does not repeat a result that has not changed', () => {
    const previous = buildHandoff(HANDOFF_FACTS);
    expect(buildHandoff({ ...HANDOFF_FACTS, tier: 2, previous }).check_results).toEqual(
      previous.check_results,
    );
  });
});
