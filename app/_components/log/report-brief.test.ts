import { expect, it } from 'vitest';
import { reportBriefOf, textOfReport } from './report-brief';

const report = {
  summary: 'web is down: its process is gone.',
  services_checked: [
    { name: 'web', status: 'down', detail: 'Connection refused.' },
    { name: 'db', status: 'healthy' },
  ],
  findings: [],
  escalation: { wanted: true, reason: 'A restart is needed.', services: ['web'] },
  actions_taken: [],
};

const brief = (input: Record<string, unknown>, tool = 'StructuredOutput') =>
  reportBriefOf({ tool, input });

it('reads summary, services and the requested escalation', () => {
  expect(brief(report)).toEqual({
    summary: 'web is down: its process is gone.',
    services: [
      { name: 'web', status: 'down', detail: 'Connection refused.' },
      { name: 'db', status: 'healthy', detail: '' },
    ],
    escalation: { reason: 'A restart is needed.', services: ['web'] },
  });
});

it.each([
  ['another tool', brief(report, 'Bash')],
  ['no summary', brief({ ...report, summary: undefined })],
  ['an empty summary', brief({ ...report, summary: ' ' })],
  ['an answer of another form', brief({ answer: 42 })],
])('gives nothing for %s', (_what, result) => {
  expect(result).toBeNull();
});

it.each([
  ['not requested', { escalation: { wanted: false, reason: 'Not needed.', services: [] } }],
  ['missing', { escalation: undefined }],
  ['not an object', { escalation: 'yes' }],
])('shows no escalation that is %s', (_what, change) => {
  expect(brief({ ...report, ...change })?.escalation).toBeNull();
});

it.each([
  ['no list', 'web'],
  ['entries of another form', [null, 'web', { name: 'web' }, { name: 'web', status: 'fine' }]],
])('shows no services of %s', (_what, services) => {
  expect(brief({ ...report, services_checked: services })?.services).toEqual([]);
});

it('is searched by the words that are shown', () => {
  const shown = brief(report);
  const text = shown ? textOfReport(shown) : '';
  expect(text).toContain('its process is gone');
  expect(text).toContain('Connection refused.');
  expect(text).toContain('A restart is needed.');
  expect(text).not.toContain('services_checked');
});
