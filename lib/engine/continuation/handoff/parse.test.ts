import { describe, expect, it } from 'vitest';
import type { Tier } from '@/lib/protocol/spec';
import { MAX_HANDOFF_CHARS, parseHandoff } from './parse';

const fromTier1 = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['payments-db'],
  check_results: [
    { service: 'payments-db', check_type: 'database', status: 'down', error: 'refused' },
  ],
  cooldown_state: {},
};
const fromTier2 = {
  ...fromTier1,
  recommended_tier: 3,
  investigation_findings: 'The disk is full.',
  remediation_attempted: 'Restarted twice; it fell over again.',
};

function without(source: Record<string, unknown>, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([key]) => key !== field));
}

function error(value: unknown, tier: Tier = 1): string {
  const parsed = parseHandoff(typeof value === 'string' ? value : JSON.stringify(value), tier);
  return parsed.ok ? 'accepted' : `${parsed.kind}: ${parsed.error}`;
}

function check(fields: object): object {
  return { ...fromTier1, check_results: [{ ...fromTier1.check_results[0], ...fields }] };
}

describe('[HND-1.1] a handoff is accepted', () => {
  it.each<[string, object, Tier]>([
    ['from tier 1', fromTier1, 1],
    ['from tier 2', fromTier2, 2],
    ['[HND-1.4] with an empty error', check({ error: '' }), 1],
    ['with a response time', check({ response_time_ms: 12 }), 1],
    ['with fields of a later writer', { ...fromTier1, note: 'x' }, 1],
    ['[HND-3.6] from tier 1 with a request for tier 3', { ...fromTier1, recommended_tier: 3 }, 1],
  ])('%s', (_title, value, tier) => {
    expect(parseHandoff(JSON.stringify(value), tier)).toMatchObject({ ok: true });
  });
});

describe('[ENG-5.3] an optional field', () => {
  const read = (fields: object) => {
    const parsed = parseHandoff(JSON.stringify({ ...fromTier1, ...fields }), 1);
    return parsed.ok ? parsed.handoff : null;
  };
  const finding = { service: 'web', severity: 'critical', message: 'The disk is full.' };

  it('is read', () => {
    const given = { summary: 'Down.', escalation_reason: 'Restart it.', findings: [finding] };
    expect(read(given)).toMatchObject(given);
    expect(
      read({ check_results: [{ ...fromTier1.check_results[0], detail: 'port closed' }] })
        ?.check_results[0]?.detail,
    ).toBe('port closed');
  });

  it.each<[string, object, object]>([
    ['an empty summary', { summary: ' ' }, fromTier1],
    ['a summary that is a list', { summary: ['Down.'] }, fromTier1],
    ['findings that are texts', { findings: ['The disk is full.'] }, fromTier1],
    ['earlier reports that are a text', { earlier_reports: 'none' }, fromTier1],
    [
      'a detail that is a number',
      { check_results: [{ ...fromTier1.check_results[0], detail: 7 }] },
      fromTier1,
    ],
    [
      'an unknown severity, which counts as a warning',
      { findings: [{ ...finding, severity: 'high' }] },
      { ...fromTier1, findings: [{ ...finding, severity: 'warning' }] },
    ],
  ])('of the wrong shape never blocks an escalation: %s', (_title, fields, expected) => {
    expect(read(fields)).toEqual(expected);
  });
});

describe('[HND-1.2] a handoff is refused with its first error', () => {
  it.each<[unknown, Tier, string]>([
    ['{', 1, 'unreadable: the file is not JSON'],
    ['  ', 1, 'unreadable: the file is empty'],
    [
      'x'.repeat(MAX_HANDOFF_CHARS + 1),
      1,
      `unreadable: the file has 500001 characters, more than 500000`,
    ],
    [[fromTier1], 1, 'invalid: the file is not a JSON object'],
    ['null', 1, 'invalid: the file is not a JSON object'],
    [without(fromTier1, 'schema_version'), 1, 'invalid: schema_version is missing'],
    [{ ...fromTier1, schema_version: 2 }, 1, 'invalid: schema_version is 2, only 1 is known'],
    [{ ...fromTier1, schema_version: '1' }, 1, 'invalid: schema_version is "1", only 1 is known'],
    [without(fromTier1, 'recommended_tier'), 1, 'invalid: recommended_tier is missing'],
    [without(fromTier1, 'services_affected'), 1, 'invalid: services_affected is missing'],
    [without(fromTier1, 'check_results'), 1, 'invalid: check_results is missing'],
    [without(fromTier1, 'cooldown_state'), 1, 'invalid: cooldown_state is missing'],
    [{ ...fromTier1, cooldown_state: 'none' }, 1, 'invalid: cooldown_state is not a record'],
    [{ ...fromTier1, services_affected: [] }, 1, 'invalid: services_affected is empty'],
    [{ ...fromTier1, services_affected: [' '] }, 1, 'invalid: services_affected[0] is empty'],
    [{ ...fromTier1, check_results: [] }, 1, 'invalid: check_results is empty'],
    [check({ service: undefined }), 1, 'invalid: check_results[0].service is missing'],
    [check({ error: undefined }), 1, 'invalid: check_results[0].error is missing'],
    [check({ error: 7 }), 1, 'invalid: check_results[0].error is not a string'],
    [
      check({ status: 'unknown' }),
      1,
      'invalid: check_results[0].status is "unknown", not healthy, degraded, down',
    ],
    [
      check({ check_type: 'tcp' }),
      1,
      'invalid: check_results[0].check_type is "tcp", not http, dns, container, database, service',
    ],
    [
      check({ response_time_ms: 1.5 }),
      1,
      'invalid: check_results[0].response_time_ms is not a whole number',
    ],
    [without(fromTier2, 'investigation_findings'), 2, 'invalid: investigation_findings is missing'],
    [without(fromTier2, 'remediation_attempted'), 2, 'invalid: remediation_attempted is missing'],
    [{ ...fromTier2, remediation_attempted: ' ' }, 2, 'invalid: remediation_attempted is empty'],
  ])('%# %s', (value, tier, expected) => {
    expect(error(value, tier)).toBe(expected);
  });
});

describe('[HND-3.6] a request that is not above the current tier is invalid', () => {
  it.each<[unknown, Tier, string]>([
    [2, 2, 'invalid: recommended_tier is 2, which is not above tier 2'],
    [2, 3, 'invalid: recommended_tier is 2, which is not above tier 3'],
    [3, 3, 'invalid: recommended_tier is 3, which is not above tier 3'],
    [1, 1, 'invalid: recommended_tier is 1, not 2 or 3'],
    [4, 2, 'invalid: recommended_tier is 4, not 2 or 3'],
    ['2', 1, 'invalid: recommended_tier is "2", not 2 or 3'],
  ])('%s from tier %s', (request, tier, expected) => {
    expect(error({ ...fromTier2, recommended_tier: request }, tier)).toBe(expected);
  });
});
