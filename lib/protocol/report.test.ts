import { describe, expect, it } from 'vitest';
import { parseReport, reportJsonSchema } from './report';

const report = {
  summary: 'All healthy.',
  services_checked: [{ name: 'web', check_type: 'http', status: 'healthy', detail: '200' }],
  findings: [],
  escalation: { wanted: false, reason: '', services: [] },
  actions_taken: [],
};

describe('parseReport', () => {
  it('takes a complete report and leaves unknown fields out', () => {
    expect(parseReport({ ...report, extra: 1 })).toEqual({ ok: true, report });
  });

  it.each([
    [undefined, 'The agent submitted no report.'],
    [null, 'The agent submitted no report.'],
    [{ ...report, findings: [{ severity: 'fatal', message: 'x' }] }, /^findings\.0\.severity: /],
    [{ ...report, escalation: { wanted: 'yes', reason: '', services: [] } }, /^escalation\.wanted/],
  ])('names what is wrong with %j', (value, expected) => {
    const parsed = parseReport(value);
    expect(parsed.ok ? '' : parsed.error).toMatch(expected);
  });
});

describe('reportJsonSchema', () => {
  it('is a plain object schema that the CLI takes', () => {
    expect(reportJsonSchema.type).toBe('object');
    expect(reportJsonSchema).not.toHaveProperty('$schema');
    expect(reportJsonSchema.required).toEqual([
      'summary',
      'services_checked',
      'findings',
      'escalation',
      'actions_taken',
    ]);
    expect(JSON.parse(JSON.stringify(reportJsonSchema))).toEqual(reportJsonSchema);
  });
});
