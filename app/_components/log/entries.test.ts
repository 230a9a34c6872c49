import { describe, expect, it } from 'vitest';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import {
  type LogAttempt,
  type LogDecision,
  type LogEntry,
  type LogSession,
  sessionEntries,
} from './entries';
import { emptyFeed, takeIn } from './feed';
import { filterEntries } from './rows';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString();

/** An event of an attempt; of the control plane where `attemptId` is null. */
function event(
  seq: number,
  kind: string,
  payload: Record<string, unknown> = {},
  attemptId: string | null = 'att_1',
): SessionEventDto {
  return { seq, attemptId, kind, at: at(seq), isLate: false, payload: { kind, ...payload } };
}

const started = (seq: number, attemptId = 'att_1') =>
  event(seq, 'process', { phase: 'started', pid: 1, code: null, signal: null }, attemptId);
const text = (seq: number, words: string, attemptId = 'att_1') =>
  event(seq, 'text', { messageId: `m${seq}`, text: words, parentToolUseId: null }, attemptId);
const call = (seq: number, tool: string, input: Record<string, unknown>, messageId = `m${seq}`) =>
  event(seq, 'tool_call', { messageId, toolUseId: `t${seq}`, tool, input, parentToolUseId: null });
const result = (seq: number, of: number, change: Record<string, unknown> = {}) =>
  event(seq, 'tool_result', {
    ...{ toolUseId: `t${of}`, isError: false, denied: false, exitCode: 0 },
    ...{ stdout: 'done', stderr: null, content: '', cutBytes: 0 },
    ...change,
  });
const check = (seq: number, service: string, status: string, error = '') =>
  event(seq, 'check_result', {
    ...{ service, status, error, type: 'http', target: 'http://web/', responseTimeMs: 12 },
  });
const notice = (seq: number, code: string, message: string, level = 'info') =>
  event(seq, 'notice', { level, code, message, service: null }, null);

const decision = (change: Partial<LogDecision>): LogDecision => ({
  id: 'start',
  attemptId: 'att_1',
  kind: 'continuation',
  verdict: 'fresh',
  reason: 'MANUAL_NEW_CHAIN',
  sentence: 'Started on request.',
  at: at(0),
  ...change,
});
const escalated = decision({
  id: 'up',
  kind: 'escalation',
  verdict: 'escalate',
  reason: 'ESCALATED',
  sentence: 'Escalated to tier 2 for web.',
  at: at(9),
});

const attempt = (change: Partial<LogAttempt> = {}): LogAttempt => ({
  id: 'att_1',
  number: 1,
  purpose: 'tier',
  runner: 'eu-1',
  end: 'completed',
  endText: '',
  ...{ exitCode: null, startedAt: null, endedAt: null, costMicros: 0 },
  ...change,
});

type Part = NonNullable<LogSession['part']>;

const report: Part['report'] = {
  summary: 'web is down.',
  services_checked: [],
  findings: [],
  escalation: { wanted: true, reason: '', services: ['web'] },
  actions_taken: [],
};

type Change = Partial<LogSession & Part & LogSession['log']>;

/** A session in the log of its chain. */
function session({ decisions = [], report = null, notices = [], ...change }: Change): LogSession {
  const { events = [], after = 0, status = 'escalated', ...own } = change;
  return {
    ...{ id: 'ses_1', number: 8, tier: 1, tools: [], endedAt: at(9), attempts: [attempt()] },
    lastSeq: events.at(-1)?.seq ?? 0,
    log: { events, after, isWhole: true },
    part: {
      ...{ model: 'haiku', isUnconfined: false, status, startedAt: at(0), decisions, report },
      ...{ isReportUnreadable: false, notices, changes: [] },
    },
    ...own,
  };
}

function entriesOf(one: LogSession, more: readonly SessionEventDto[] = []): LogEntry[] {
  const { after, events } = one.log;
  const feed = takeIn({ ...emptyFeed, after }, [...events, ...more]);
  return sessionEntries(one, { ...feed, isComplete: true });
}

/** An entry in a few words. */
function words(entry: LogEntry): string {
  switch (entry.type) {
    case 'row':
      return entry.row.type === 'request'
        ? entry.row.items.map((item) => (item.type === 'text' ? item.text : item.tool)).join(' + ')
        : entry.row.type === 'event' && entry.row.event.kind === 'notice'
          ? `notice ${entry.row.event.code}`
          : entry.row.type;
    case 'checks':
      return `checks of ${entry.checks.map(({ service }) => service).join(', ')}`;
    case 'decision':
      return `decision ${entry.decision.reason}`;
    case 'start':
      return `attempt ${entry.attempt.number}`;
    case 'end':
      return `attempt ${entry.attempt.number} ended: ${entry.attempt.end}${entry.text ? `, ${entry.text}` : ''}`;
    case 'report':
      return 'report';
    case 'note':
      return entry.text;
  }
}

const NOT_STARTED = 'There is no log: no process was started.';
const DELETED =
  'The log was deleted when its retention ended. Report, cost and decisions are kept.';

const CASES: [name: string, session: LogSession, expected: string[]][] = [
  [
    'a tier that escalates: its start, what it did, its report, then the decision',
    session({
      decisions: [decision({}), escalated],
      report,
      events: [
        started(1),
        text(2, 'I check web.'),
        call(3, 'Bash', { command: 'systemctl status web' }, 'm2'),
        result(4, 3),
        call(5, 'StructuredOutput', { summary: 'web is down.' }),
        result(6, 5),
        event(7, 'result', { subtype: 'success', isError: false, text: '{"summary":""}' }),
        event(8, 'process', { phase: 'exited', pid: 1, code: 0, signal: null }),
        notice(9, 'ESCALATED', 'Escalated to tier 2 for web.', 'warning'),
      ],
    }),
    ['decision MANUAL_NEW_CHAIN', 'I check web. + Bash', 'report', 'decision ESCALATED'],
  ],
  [
    'a notice that says what a decision says is shown once, at the place of the notice',
    session({
      decisions: [decision({ reason: 'OK_RESUME', sentence: 'Continues Session #7.' })],
      events: [notice(1, 'OK_RESUME', 'Continues Session #7.'), started(2), text(3, 'Again.')],
    }),
    ['decision OK_RESUME', 'Again.'],
  ],
  [
    'a notice of its own stays',
    session({
      events: [
        started(1),
        text(2, 'I restart web.'),
        notice(3, 'COOLDOWN', 'Too often.', 'critical'),
      ],
    }),
    ['I restart web.', 'notice COOLDOWN'],
  ],
  [
    'checks that were made together are one entry, those after a call another',
    session({
      events: [
        started(1),
        check(2, 'web', 'down', 'Connection refused.'),
        check(3, 'db', 'healthy'),
        text(4, 'I restart web.'),
        check(5, 'web', 'healthy'),
      ],
    }),
    ['checks of web, db', 'I restart web.', 'checks of web'],
  ],
  [
    'a rejected resume, then the handoff: two attempts, each with its start, both in order',
    session({
      attempts: [
        attempt({ end: 'resume_rejected', endText: 'No conversation found.' }),
        attempt({ id: 'att_2', number: 2 }),
      ],
      decisions: [
        decision({ id: 'a', reason: 'OK_RESUME', verdict: 'resume' }),
        decision({ id: 'b', attemptId: 'att_2', reason: 'RESUME_REJECTED', verdict: 'handoff' }),
        // Of a runner whose clock is behind: the attempt decides, not the time.
        { ...escalated, attemptId: 'att_2', at: at(0) },
      ],
      report,
      events: [started(1), started(2, 'att_2'), text(3, 'From the handoff.', 'att_2')],
    }),
    [
      'attempt 1',
      'decision OK_RESUME',
      'attempt 1 ended: resume_rejected, No conversation found.',
      'attempt 2',
      'decision RESUME_REJECTED',
      'From the handoff.',
      'report',
      'decision ESCALATED',
    ],
  ],
  [
    'a lost attempt says why once, although a notice says it too',
    session({
      status: 'lost',
      attempts: [attempt({ end: 'lost', endText: 'Runner eu-1 stopped answering.' })],
      events: [started(1), notice(2, 'LOST', 'Runner eu-1 stopped answering.', 'critical')],
    }),
    ['notice LOST', 'attempt 1 ended: lost'],
  ],
  [
    'a session that was refused has no process and no log',
    session({
      status: 'refused',
      attempts: [attempt({ end: null })],
      decisions: [decision({ reason: 'HANDOFF_INVALID', verdict: 'refuse' })],
    }),
    [NOT_STARTED, 'decision HANDOFF_INVALID'],
  ],
  [
    'a session that waits has nothing yet',
    session({ status: 'queued', endedAt: null, attempts: [attempt({ end: null })] }),
    ['No output yet.'],
  ],
  [
    'a deleted log keeps its decisions, its report and what the feed has',
    session({
      decisions: [decision({}), escalated],
      report,
      events: [],
      lastSeq: 40,
      notices: [
        {
          ...{ id: 'evt_1', level: 'warning', code: 'BUDGET_WARNING', message: 'Budget.' },
          ...{ service: null, at: at(4), project: { slug: 'p', name: 'P' }, session: null },
        },
      ],
    }),
    [DELETED, 'notice BUDGET_WARNING', 'decision MANUAL_NEW_CHAIN', 'report', 'decision ESCALATED'],
  ],
  [
    'a long ended log says what is not here, below its report',
    session({ report, events: [started(1), text(2, 'First.')], lastSeq: 2_310 }),
    ['First.', 'report', 'Events 3–2,310 aren’t shown here.'],
  ],
  [
    'a long running log begins with its newest events, and says what is above',
    session({ endedAt: null, after: 1_204, events: [text(1_205, 'Newest.')], lastSeq: 1_205 }),
    ['Events 1–1,204 aren’t shown here.', 'Newest.'],
  ],
];

describe('[PAG-1.1] the log of a chain, session by session', () => {
  it.each(CASES)('%s', (_name, one, expected) => {
    expect(entriesOf(one).map(words)).toEqual(expected);
  });

  it('the report of a running tier is hidden until its session has ended', () => {
    const running = session({
      endedAt: null,
      decisions: [decision({})],
      attempts: [attempt({ end: null })],
      events: [started(1), text(2, 'I check web.')],
    });
    const handedIn = [call(3, 'StructuredOutput', { summary: '{"a":1}' }), result(4, 3)];
    expect(entriesOf(running, handedIn).map(words)).toEqual([
      'decision MANUAL_NEW_CHAIN',
      'I check web.',
    ]);
  });

  it('an ended session that was followed to its end has all of it', () => {
    const events = [started(1), text(2, 'First.')];
    const one = session({ events, lastSeq: 3 });
    expect(entriesOf(one, [text(3, 'Last.')]).map(words)).toEqual(['First.', 'Last.']);
  });
});

describe('[PAG-1.1] what a filter keeps', () => {
  const one = session({
    decisions: [decision({}), escalated],
    report,
    events: [
      started(1),
      check(2, 'web', 'down', 'Connection refused.'),
      check(3, 'db', 'healthy'),
      text(4, 'I restart web.'),
      call(5, 'Bash', { command: 'restart' }, 'm4'),
      result(6, 5, { exitCode: 1, isError: true }),
      call(7, 'Read', { file_path: '/etc/web' }, 'm4'),
      result(8, 7),
    ],
    lastSeq: 30,
  });
  it.each([
    ['calls', ['Bash + Read', 'Events 9–30 aren’t shown here.']],
    [
      'decisions',
      ['decision MANUAL_NEW_CHAIN', 'decision ESCALATED', 'Events 9–30 aren’t shown here.'],
    ],
    ['problems', ['checks of web', 'Bash', 'Events 9–30 aren’t shown here.']],
  ] as const)('%s', (filter, expected) => {
    expect(filterEntries(entriesOf(one), filter).map(words)).toEqual(expected);
  });

  it('[BND-4.5] problems: a command that was denied, and none that waits for a person', () => {
    const refused = (seq: number, code: string) =>
      event(seq, 'brokered', {
        ...{ phase: 'refused', number: seq, argv: ['reboot'], rule: null, changes: false },
        ...{ refusal: { code, message: 'It was not run.' }, end: null },
      });
    const events = [started(1), refused(2, 'no_rule'), refused(3, 'approval_pending')];
    const found = filterEntries(entriesOf(session({ events })), 'problems');
    expect(found.map(({ key }) => key)).toEqual(['event-2']);
  });
});
