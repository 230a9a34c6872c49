import { describe, expect, it } from 'vitest';
import { callEnd, callTitle, isOpenByDefault, reportBriefOf, textOfReport } from './calls';
import type { CallItem } from './events';

it.each([
  ['Bash', { command: 'docker ps' }, '$ docker ps'],
  ['Read', { file_path: '/etc/hosts' }, 'Read /etc/hosts'],
  ['Edit', { file_path: 'a.yml', old_string: 'x', new_string: 'y\nz\nw' }, 'Edit a.yml +3 −1'],
  ['Write', { file_path: 'a.yml', content: 'x\ny\n' }, 'Write a.yml +2 −0'],
  ['Grep', { pattern: 'ERROR' }, 'Grep ERROR'],
  ['mcp__tierwatch__check', { service: 'api' }, 'mcp tierwatch/check service: api'],
  ['StructuredOutput', { summary: 'web is down.', findings: [] }, 'Report web is down.'],
  ['StructuredOutput', { answer: 42 }, 'Report '],
  ['Odd', { count: 3 }, 'Odd count: 3'],
  ['Bash', { command: 7 }, '$ '],
])('%s %j reads %s', (tool, input, expected) => {
  const { mark, text, change } = callTitle(tool, input);
  expect(`${mark} ${text}${change ? ` +${change.added} −${change.removed}` : ''}`).toBe(expected);
});

describe('folding calls', () => {
  const ended = (result: Partial<NonNullable<CallItem['result']>> | null): CallItem => ({
    type: 'call',
    seq: 1,
    at: '2026-11-21T14:52:00.000Z',
    toolUseId: 't1',
    tool: 'Bash',
    input: {},
    items: [],
    result: result && {
      seq: 2,
      at: '2026-11-21T14:52:01.000Z',
      kind: 'tool_result',
      toolUseId: 't1',
      isError: false,
      denied: false,
      content: '',
      stdout: null,
      stderr: null,
      exitCode: 0,
      cutBytes: 0,
      ...result,
    },
  });

  it.each([
    ['running', ended(null), 'pending', false],
    ['exit 0', ended({}), 'ok', false],
    ['no exit code', ended({ exitCode: null }), 'ok', false],
    ['exit 1', ended({ exitCode: 1 }), 'failed', true],
    ['an error', ended({ isError: true, exitCode: null }), 'failed', true],
    ['a denial', ended({ isError: true, denied: true }), 'denied', true],
  ])('%s', (_name, call, end, isOpen) => {
    expect(callEnd(call)).toBe(end);
    expect(isOpenByDefault(call, false)).toBe(isOpen);
    expect(isOpenByDefault(call, true)).toBe(true);
  });
});

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
