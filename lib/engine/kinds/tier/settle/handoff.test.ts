import { describe, expect, it } from 'vitest';
import type { EscalationDecision } from '@/lib/engine/escalation/schema';
import type { ParsedReport, TierReport } from '@/lib/protocol/report';
import { BROKEN, settlementFacts } from '@/tests/support/settlement-facts';
import { handoffOf, lacksFindings } from './handoff';

const parsed = (changes: Partial<TierReport> = {}): ParsedReport => ({
  ok: true,
  report: { ...BROKEN, ...changes },
});
const NONE: ParsedReport = { ok: false, error: 'The agent submitted no report.' };

it.each<[boolean, number, ParsedReport]>([
  [true, 2, parsed({ summary: ' ' })],
  [false, 1, parsed({ summary: ' ' })],
  [false, 3, parsed({ summary: ' ' })],
  [false, 2, parsed()],
  [false, 2, parsed({ summary: ' ', investigation_findings: 'The disk is full.' })],
  [false, 2, NONE],
])('[HND-1.1] %s: a handoff of tier %i lacks findings with %j', (lacks, tier, report) => {
  expect(lacksFindings(report, tier)).toBe(lacks);
});

describe('[HND-9.1] the handoff of an escalation', () => {
  const ESCALATES = {
    kind: 'escalate',
    tier: 2,
    services: ['web'],
  } as unknown as EscalationDecision;
  const ENDS = { kind: 'end', services: ['web'] } as unknown as EscalationDecision;
  const check = {
    kind: 'check_result',
    service: 'api',
    type: 'http',
    target: '',
    status: 'down',
    error: 'refused',
    responseTimeMs: null,
  } as const;

  it('is built only for an escalation, and never by tier 3', () => {
    const made = (decision: EscalationDecision, tier: 1 | 2 | 3) =>
      handoffOf(settlementFacts({ session: { tier } }), decision, parsed(), null, []);
    expect(made(ESCALATES, 1)?.planned).toMatchObject({ toTier: 2, source: 'built' });
    expect(made(ENDS, 1)).toBeNull();
    expect(made(ESCALATES, 3)).toBeNull();
  });

  it('has the report and the checks of all attempts', () => {
    const facts = settlementFacts({
      earlierChecks: [check],
      events: [{ ...check, service: 'web' }],
    });
    const payload = handoffOf(facts, ESCALATES, parsed(), null, [])?.planned.payload;
    expect(payload?.summary).toBe(BROKEN.summary);
    const services = payload?.check_results.map(({ service }) => service);
    expect(services).toEqual(expect.arrayContaining(['api', 'web']));
    const without = handoffOf(facts, ESCALATES, NONE, null, [])?.planned.payload;
    expect(without?.summary).toBeUndefined();
  });

  it('follows a file that is valid, and no other', () => {
    const built = handoffOf(settlementFacts(), ESCALATES, parsed(), null, []);
    if (!built) throw new Error('Nothing was built.');
    const handoff = { ...built.planned.payload, summary: 'From the file.' };
    const made = (report: ParsedReport) =>
      handoffOf(settlementFacts(), ESCALATES, report, { ok: true, handoff }, []);
    expect(made(parsed())).toMatchObject({
      planned: { source: 'file', payload: { summary: 'From the file.' } },
      disagreement: null,
    });
    expect(made(NONE)?.disagreement).toBeNull();
    const request = { wanted: true, reason: '', services: ['db'] };
    expect(made(parsed({ escalation: request }))?.disagreement).toMatch(/Both are used\.$/);
    const wrong = { ok: false, kind: 'invalid', error: 'no version' } as const;
    expect(handoffOf(settlementFacts(), ESCALATES, parsed(), wrong, [])).toEqual(built);
  });
});
