import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import type { LogSession } from './entries';
import type { FollowedSession } from './feed';
import { Log } from './log';
import { LogProvider } from './log-provider';

const at = '2026-11-21T14:00:00.000Z';

const event = (
  seq: number,
  kind: string,
  payload: object,
  attemptId = 'att_1',
): SessionEventDto => ({
  ...{ seq, attemptId, kind, at, isLate: false },
  payload: { kind, ...payload },
});

const text = (seq: number, words: string, attemptId?: string) =>
  event(seq, 'text', { messageId: `m${seq}`, text: words, parentToolUseId: null }, attemptId);

type Session = LogSession & FollowedSession;
type Part = NonNullable<LogSession['part']>;

function session(change: Partial<Session & Part & LogSession['log']>): Session {
  const { report = null, events = [], status = 'completed', ...own } = change;
  return {
    ...{ id: 'ses_1', number: 8, tier: 2, tools: [], status, statusText: '', isEnded: true },
    ...{ endedAt: at, attempts: [], lastSeq: 0, prices: null },
    log: { events, after: 0, isWhole: true },
    part: {
      ...{ model: 'sonnet', isUnconfined: false, status, startedAt: at, decisions: [], report },
      ...{ isReportUnreadable: false, notices: [], changes: [] },
    },
    ...own,
  };
}

const attempt = (number: number, end: string, endText: string) => ({
  ...{ id: `att_${number}`, number, purpose: 'tier' as const, runner: 'eu-1', end, endText },
  ...{ exitCode: null, startedAt: null, endedAt: null, costMicros: null },
});

/** The words on the page as the server draws it. */
function draw(sessions: readonly Session[], emptyText = 'No session was started.'): string {
  const log = createElement(Log, {
    name: 'Chain #5',
    sessions,
    root: '/acme/projects/shop',
    isEnded: true,
    reviewHref: null,
    emptyText,
    end: 'Chain #5 ended.',
    page: null,
  });
  const props = { organizationSlug: 'acme', projectId: 'prj_1', sessions, children: log };
  return renderToString(createElement(LogProvider, props))
    .replace(/<style>.*?<\/style>|<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ');
}

describe('[PAG-1.1] the log of a chain', () => {
  it('that was skipped says that no session was started', () => {
    expect(draw([])).toContain('No session was started. Chain #5 ended.');
  });

  it('with a rejected resume shows both attempts, and why the first one ended', () => {
    const words = draw([
      session({
        attempts: [
          attempt(1, 'resume_rejected', 'eu-1 has no such conversation.'),
          attempt(2, 'completed', ''),
        ],
        events: [text(1, 'Nothing yet.'), text(2, 'I continue from the handoff.', 'att_2')],
        lastSeq: 2,
      }),
    ]);
    expect(words).toMatch(
      /Attempt #8\.1 .*Attempt #8\.1 ended: resume rejected\. eu-1 has no such conversation\..*Attempt #8\.2 .*I continue from the handoff\./,
    );
  });

  it('that was lost says so and has no report', () => {
    const words = draw([
      session({
        status: 'lost',
        attempts: [attempt(1, 'lost', 'Runner eu-1 stopped answering.')],
        events: [text(1, 'I restart web.')],
        lastSeq: 1,
      }),
    ]);
    expect(words).toContain('Attempt #8.1 ended: lost. Runner eu-1 stopped answering.');
    expect(words).not.toContain('Report');
  });

  it('renders a report, never its JSON', () => {
    const words = draw([
      session({
        report: {
          summary: 'The disk of db is full.',
          services_checked: [{ name: 'db', status: 'down', detail: 'No space left.' }],
          findings: [{ severity: 'critical', service: 'db', message: '/var is at 100%.' }],
          escalation: { wanted: true, reason: 'Needs a cleanup.', services: ['db'] },
          actions_taken: [
            { service: 'db', action: 'restart', command: 'restart db', outcome: 'failed' },
          ],
        },
        events: [
          event(1, 'tool_call', {
            ...{ messageId: 'm1', toolUseId: 't1', tool: 'StructuredOutput' },
            ...{ input: { summary: 'The disk of db is full.' }, parentToolUseId: null },
          }),
          event(2, 'result', { subtype: 'success', isError: false, text: '{"summary":"x"}' }),
        ],
        lastSeq: 2,
      }),
    ]);
    for (const part of [
      'Report reported by tier 2',
      'The disk of db is full.',
      'No space left.',
      '/var is at 100%.',
      'The agent requested a higher tier. Needs a cleanup. For db.',
      'restart db',
    ]) {
      expect(words).toContain(part);
    }
    expect(words).not.toMatch(/\{"|StructuredOutput/);
  });

  it('whose events were deleted says so, and has no link for them', () => {
    const words = draw([session({ lastSeq: 40 })]);
    expect(words).toContain('The log was deleted when its retention ended.');
    expect(words).not.toContain('Show all');
  });

  it('that is long leads to the rest of it', () => {
    const words = draw([session({ events: [text(1, 'First.')], lastSeq: 2_310 })]);
    expect(words).toContain('Events 2–2,310 aren’t shown here. Show all in Session #8');
  });
});
