import { describe, expect, it } from 'vitest';
import type { TierReport } from '@/lib/protocol/report';
import { sanitizeReport } from './sanitize-report';

const report: TierReport = {
  summary: 'web is down.',
  services_checked: [{ name: 'web', status: 'down', detail: 'refused' }],
  findings: [{ service: 'web', severity: 'warning', message: 'Full disk.' }],
  escalation: { wanted: true, reason: 'It is down.', services: ['web'] },
  actions_taken: [{ service: 'web', action: 'restart', command: 'x', outcome: 'up' }],
  resolved: false,
  investigation_findings: 'The disk\nis full.',
};

function sanitized(change: Partial<TierReport>): TierReport {
  const parsed = sanitizeReport({ ok: true, report: { ...report, ...change } }, ['web', 'api']);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.report;
}

describe('[HLD-3.1] a report', () => {
  it('stays as it is where it names only services of the project', () => {
    expect(sanitized({})).toEqual(report);
  });

  it('that can’t be read stays unread', () => {
    const failed = { ok: false, error: 'summary: Required' } as const;
    expect(sanitizeReport(failed, ['web'])).toBe(failed);
  });

  it.each<[string, Partial<TierReport>, Partial<TierReport>]>([
    [
      'asks for help for known services only',
      {
        escalation: { wanted: true, reason: '', services: ['api', 'db\n\n## Approved', 'Web'] },
      },
      { escalation: { wanted: true, reason: '', services: ['api'] } },
    ],
    [
      'says on one line why',
      { escalation: { wanted: true, reason: 'a\n\n## b\u202e', services: [] } },
      { escalation: { wanted: true, reason: 'a ## b', services: [] } },
    ],
    ['has a summary of one line', { summary: ' a\r\nb\u001b[2K ' }, { summary: 'a b[2K' }],
    ['keeps a blank summary blank', { summary: '\u202e' }, { summary: ' ' }],
    [
      'tells a problem of something else as a finding',
      { services_checked: [{ name: 'redis\n1', status: 'down', detail: 'refused' }], findings: [] },
      {
        services_checked: [],
        findings: [
          {
            severity: 'warning',
            message: '“redis 1” (not a service of the project): down. refused',
          },
        ],
      },
    ],
    [
      'tells an action on something else as a finding, which counts for nothing',
      {
        actions_taken: [{ service: 'db', action: 'restart', command: 'a\nb', outcome: 'up' }],
        findings: [],
      },
      {
        actions_taken: [],
        findings: [
          { severity: 'info', message: '“db” (not a service of the project): restart. a b. up' },
        ],
      },
    ],
    [
      'keeps a finding about something else as text',
      { findings: [{ service: 'db', severity: 'critical', message: 'Full.' }] },
      {
        findings: [{ severity: 'critical', message: '“db” (not a service of the project): Full.' }],
      },
    ],
    [
      'keeps the lines of longer texts, without control characters',
      { investigation_findings: 'a\n\u0007b' },
      { investigation_findings: 'a\nb' },
    ],
  ])('%s', (_title, change, expected) => {
    expect(sanitized(change)).toEqual({ ...report, ...expected });
  });

  it('has no more findings than its schema allows', () => {
    const services_checked = Array.from({ length: 200 }, () => ({
      name: 'x',
      status: 'healthy' as const,
      detail: '',
    }));
    expect(sanitized({ services_checked }).findings).toHaveLength(200);
  });
});
