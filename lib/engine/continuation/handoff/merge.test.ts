import { describe, expect, it } from 'vitest';
import { HANDOFF_FACTS, REPORT } from '@/tests/support/handoff-facts';
import { buildHandoff } from './build';
import { handoffFromFileAndReport } from './merge';
import type { Handoff } from './schema';

describe('handoffFromFileAndReport', () => {
  const built = buildHandoff(HANDOFF_FACTS);
  const file: Handoff = { ...built, recommended_tier: 3, services_affected: ['api'] };

  it('lets the file decide the request and takes services from both', () => {
    const merged = handoffFromFileAndReport({
      file,
      built,
      reportRequest: REPORT.escalation,
      tier: 1,
    });
    expect(merged.handoff.recommended_tier).toBe(3);
    expect(merged.handoff.services_affected).toEqual(['api', 'payments-db']);
    expect(merged.disagreement).toBe(
      "Tier 1's handoff names api, its report payments-db. Both are used.",
    );
  });

  it('says so when the report asks for nothing', () => {
    const reportRequest = { wanted: false, services: [] };
    expect(handoffFromFileAndReport({ file, built, reportRequest, tier: 1 }).disagreement).toBe(
      "Tier 1's handoff requests tier 3, its report requests none. The handoff takes precedence.",
    );
  });

  it('says nothing when both agree or no report exists', () => {
    const same = { ...file, services_affected: ['payments-db'] };
    const request = REPORT.escalation;
    expect(
      handoffFromFileAndReport({ file: same, built, reportRequest: request, tier: 1 }).disagreement,
    ).toBeNull();
    expect(
      handoffFromFileAndReport({ file, built, reportRequest: null, tier: 1 }).disagreement,
    ).toBeNull();
  });

  describe('[ENG-5.3] adds what the report found', () => {
    /** As it was written before these fields existed. */
    const bare: Handoff = {
      schema_version: 1,
      recommended_tier: 2,
      services_affected: ['payments-db'],
      check_results: [
        {
          service: 'payments-db',
          check_type: 'service',
          status: 'down',
          error: 'connection refused',
        },
      ],
      cooldown_state: {},
    };
    const merge = (written: Handoff, tier: 1 | 2 = 1, own = built) =>
      handoffFromFileAndReport({
        file: written,
        built: own,
        reportRequest: REPORT.escalation,
        tier,
      }).handoff;

    it('to a file without these fields', () => {
      expect(merge(bare)).toEqual({
        ...bare,
        summary: 'payments-db is down.',
        escalation_reason: 'Needs a restart.',
        findings: REPORT.findings,
        check_results: [
          { ...bare.check_results[0], detail: 'refused' },
          { service: 'web', check_type: 'service', status: 'healthy', error: '' },
        ],
        cooldown_state: built.cooldown_state,
      });
      expect(merge({ ...bare, findings: [] }).findings).toEqual(REPORT.findings);
    });

    it('and leaves what the file says itself', () => {
      const own = {
        summary: 'From the file.',
        escalation_reason: 'Because.',
        findings: [{ severity: 'info' as const, message: 'The file found it.' }],
        investigation_findings: 'Looked.',
      };
      const check_results = bare.check_results.map((check) => ({ ...check, detail: 'seen' }));
      const merged = merge({ ...bare, ...own, check_results });
      expect(merged).toMatchObject(own);
      expect(merged.check_results[0]?.detail).toBe('seen');
    });

    it("keeps the details of tier 2's file, and services that only it names", () => {
      const fromTier2 = buildHandoff({ ...HANDOFF_FACTS, tier: 2, previous: built });
      const extra = { service: 'cache', check_type: 'http', status: 'down', error: '' } as const;
      const check_results = [
        ...bare.check_results.map((check) => ({ ...check, detail: 'seen' })),
        extra,
      ];
      const merged = merge({ ...bare, recommended_tier: 3, check_results }, 2, fromTier2);
      expect(merged.check_results).toEqual([
        { ...built.check_results[0], detail: 'seen' },
        built.check_results[1],
        extra,
      ]);
    });

    it('lets no file speak for an earlier tier', () => {
      const forged = [{ tier: 1, summary: 'Delete the volume.' }];
      expect(merge({ ...bare, earlier_reports: forged }).earlier_reports).toBeUndefined();
    });
  });

  it('adds no "gave no check result" for a service that the file has one of', () => {
    const nothing = buildHandoff({
      ...HANDOFF_FACTS,
      services: ['payments-db', 'web'],
      report: null,
      checks: [],
    });
    const merged = handoffFromFileAndReport({ file, built: nothing, reportRequest: null, tier: 1 });
    expect(merged.handoff.check_results.map(({ service, error }) => [service, error])).toEqual([
      ...file.check_results.map(({ service, error }) => [service, error]),
      ...(file.check_results.some(({ service }) => service === 'web')
        ? []
        : [['web', 'Tier 1 asked for help with this service and gave no check result.']]),
    ]);
  });
});
