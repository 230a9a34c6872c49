import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { ChainFeedProvider } from './chain-feed-context';
import { ChainLog } from './chain-log';
import type { ChainLogSession } from './chain-session';

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

const SESSION: ChainLogSession = {
  ...{ id: 'ses_1', number: 8, tier: 2, model: 'sonnet', isUnconfined: false, status: 'completed' },
  ...{ startedAt: at, endedAt: at, attempts: [], decisions: [], tools: [], report: null },
  ...{ isReportUnreadable: false, notices: [], changes: [], events: [], after: 0, lastSeq: 0 },
};

const attempt = (number: number, end: string, endText: string) => ({
  ...{ id: `att_${number}`, number, purpose: 'tier' as const, mechanism: 'resume', runner: 'eu-1' },
  ...{ end, endText },
});

/** The words on the page as the server draws it. */
function draw(sessions: readonly ChainLogSession[], emptyText = 'No session was started.'): string {
  const log = createElement(ChainLog, {
    chainNumber: 5,
    root: '/acme/projects/shop',
    isEnded: true,
    reviewHref: null,
    emptyText,
    end: 'Chain #5 ended.',
  });
  const props = { organizationSlug: 'acme', projectId: 'prj_1', sessions, children: log };
  return renderToString(createElement(ChainFeedProvider, props))
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
      {
        ...SESSION,
        attempts: [
          attempt(1, 'resume_rejected', 'eu-1 has no such conversation.'),
          attempt(2, 'completed', ''),
        ],
        events: [text(1, 'Nothing yet.'), text(2, 'I continue from the handoff.', 'att_2')],
        lastSeq: 2,
      },
    ]);
    expect(words).toMatch(
      /Attempt 1 .*Attempt 1 ended: Resume rejected\. eu-1 has no such conversation\..*Attempt 2 .*I continue from the handoff\./,
    );
  });

  it('that was lost says so and has no report', () => {
    const words = draw([
      {
        ...SESSION,
        status: 'lost',
        attempts: [attempt(1, 'lost', 'Runner eu-1 stopped answering.')],
        events: [text(1, 'I restart web.')],
        lastSeq: 1,
      },
    ]);
    expect(words).toContain('Attempt 1 ended: Lost. Runner eu-1 stopped answering.');
    expect(words).not.toContain('Report');
  });

  it('renders a report, never its JSON', () => {
    const words = draw([
      {
        ...SESSION,
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
      },
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
    const words = draw([{ ...SESSION, lastSeq: 40 }]);
    expect(words).toContain('The log was deleted when its retention ended.');
    expect(words).not.toContain('Show all');
  });

  it('that is long leads to the rest of it', () => {
    const words = draw([{ ...SESSION, events: [text(1, 'First.')], lastSeq: 2_310 }]);
    expect(words).toContain('Events 2–2,310 aren’t shown here. Show all in Session #8');
  });
});
