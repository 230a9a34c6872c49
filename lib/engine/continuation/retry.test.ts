import { describe, expect, it } from 'vitest';
import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { type AfterEndFacts, decideAfterEnd, MAX_WAIT_SECONDS } from './retry';
import type { ToolCallFact } from './tool-calls';

const ran = { denied: false };
const restart: ToolCallFact = {
  tool: 'Bash',
  isOurs: false,
  input: { command: 'docker restart payments-db' },
  result: ran,
};
const read: ToolCallFact = { tool: 'Read', isOurs: false, input: { file_path: 'a' }, result: ran };

const FACTS: AfterEndFacts = {
  end: 'crashed',
  hasConversation: true,
  isCallInterrupted: false,
  hasContinued: false,
  wasSilentBefore: false,
  retry: { kind: 'once' },
  tier: 2,
  purpose: 'tier',
  startMode: 'resume',
  toolCalls: [read],
  eventLog: 'complete',
  hasEarlierChange: false,
  hasFallenBack: false,
  retriesUsed: 0,
  hasReconciled: false,
  canReconcile: true,
  reconciledEnd: null,
};

function after(fields: Partial<AfterEndFacts>): string {
  const next = decideAfterEnd({ ...FACTS, ...fields });
  switch (next.kind) {
    case 'retry':
      return `retry after ${next.afterSeconds}`;
    case 'reconciled':
      return `reconciled ${next.sessionStatus}`;
    case 'end':
      return `end ${next.reason} ${next.sessionStatus} ${next.chainOutcome}${next.needsHuman ? ' human' : ''}`;
    case 'fallback':
      return `fallback ${next.reason}`;
    default:
      return next.kind;
  }
}

describe('decideAfterEnd', () => {
  it.each<[string, Partial<AfterEndFacts>, string]>([
    ['a completed attempt settles', { end: 'completed', toolCalls: [restart] }, 'settle'],
    [
      '[BND-4.2] a wait for approval continues, whatever has run',
      { end: 'waiting_for_approval', tier: 3, toolCalls: [{ ...restart, result: null }] },
      'approval',
    ],
    [
      '[RES-7.2] a rejected resume falls back',
      { end: 'resume_rejected' },
      'fallback RESUME_REJECTED',
    ],
    [
      '[RES-7.2] one fallback a session, never a loop',
      { end: 'resume_rejected', hasFallenBack: true },
      'end NO_RETRY failed failed',
    ],
    [
      '[ENG-5.5] a silent attempt continues in its own conversation',
      { end: 'stalled' },
      'continue',
    ],
    [
      '[ENG-5.5] also where its calls changed something: they are in the conversation',
      { end: 'stalled', toolCalls: [restart], hasEarlierChange: true },
      'continue',
    ],
    ['[ENG-5.5] also at tier 1', { end: 'stalled', tier: 1, startMode: 'fresh' }, 'continue'],
    [
      '[ENG-5.5] not where a call has no result',
      { end: 'stalled', toolCalls: [{ ...restart, result: null }] },
      'reconcile',
    ],
    [
      '[ENG-5.5] not where its last call was interrupted',
      { end: 'stalled', toolCalls: [restart], isCallInterrupted: true },
      'reconcile',
    ],
    [
      '[ENG-5.5] not where its last events are unknown',
      { end: 'stalled', eventLog: 'incomplete' },
      'reconcile',
    ],
    [
      '[ENG-5.5] not where no conversation came into being',
      { end: 'stalled', hasConversation: false },
      'retry after 0',
    ],
    [
      '[ENG-5.5] not after a silence that was retried: the second one ends it',
      { end: 'stalled', wasSilentBefore: true, retriesUsed: 1 },
      'end RETRIES_SPENT failed failed',
    ],
    ['[ENG-5.5] not a reconcile', { end: 'stalled', purpose: 'reconcile' }, 'reconciled lost'],
    [
      '[ENG-5.5] a second silence ends it',
      { end: 'stalled', hasContinued: true },
      'end CONTINUE_SPENT failed failed',
    ],
    [
      '[ENG-5.5] a second silence after a change is looked at first',
      { end: 'stalled', hasContinued: true, toolCalls: [restart] },
      'reconcile',
    ],
    [
      '[ENG-5.5] once only: after the look it ends for a person',
      { end: 'stalled', hasContinued: true, hasReconciled: true, toolCalls: [restart] },
      'end CONTINUE_SPENT failed failed human',
    ],
    ['a full context falls back', { end: 'context_exhausted' }, 'fallback CONTEXT_EXHAUSTED'],
    [
      'a history that cannot be replayed falls back',
      { end: 'history_unreplayable' },
      'fallback HISTORY_UNREPLAYABLE',
    ],
    [
      'another work directory falls back',
      { end: 'work_dir_changed', retry: { kind: 'once' } },
      'fallback WORKDIR_CHANGED',
    ],
    [
      'a full context without a resume has nothing to fall back to',
      { end: 'context_exhausted', startMode: 'handoff' },
      'end NO_RETRY failed failed',
    ],
    [
      'no fallback after a change: look first',
      { end: 'context_exhausted', toolCalls: [restart] },
      'reconcile',
    ],
    [
      '[SAS-3.3] a lost tier 2 that restarted something is looked at',
      { end: 'lost', toolCalls: [restart] },
      'reconcile',
    ],
    [
      '[SAS-3.3] and is over when reconciling is off',
      { end: 'lost', toolCalls: [restart], canReconcile: false },
      'end MAY_HAVE_CHANGED lost lost human',
    ],
    [
      '[SAS-3.3] a call without a result counts',
      { end: 'lost', toolCalls: [{ ...restart, result: null }], canReconcile: false },
      'end MAY_HAVE_CHANGED lost lost human',
    ],
    [
      'a refused call does not count',
      { toolCalls: [{ ...restart, result: { denied: true } }] },
      'retry after 0',
    ],
    [
      'what an earlier attempt of the session changed counts too',
      { end: 'crashed', hasEarlierChange: true, canReconcile: false },
      'end MAY_HAVE_CHANGED failed failed human',
    ],
    [
      '[FLT-3.2] a lost tier 3 is looked at although all reported calls only read',
      { end: 'lost', tier: 3, eventLog: 'incomplete' },
      'reconcile',
    ],
    [
      '[FLT-3.2] a lost tier 2 is looked at although it reported no call',
      { end: 'lost', toolCalls: [], eventLog: 'incomplete' },
      'reconcile',
    ],
    [
      '[FLT-3.2] and when its only reported call was refused',
      {
        end: 'lost',
        toolCalls: [{ ...restart, result: { denied: true } }],
        eventLog: 'incomplete',
      },
      'reconcile',
    ],
    [
      '[FLT-3.2] a lost tier 2 that was looked at before ends for a person',
      { end: 'lost', toolCalls: [], eventLog: 'incomplete', hasReconciled: true },
      'end MAY_HAVE_CHANGED lost lost human',
    ],
    [
      '[FLT-3.2] a resumed tier 2 whose last events are unknown does not fall back',
      { end: 'context_exhausted', toolCalls: [], eventLog: 'incomplete' },
      'reconcile',
    ],
    [
      '[FLT-3.2] an overloaded tier 2 whose last events are unknown is not retried',
      {
        end: 'overloaded',
        toolCalls: [],
        eventLog: 'incomplete',
        retry: { kind: 'after', seconds: 60 },
      },
      'reconcile',
    ],
    [
      'a lost tier 3 that was never started is tried again',
      { end: 'lost', tier: 3, toolCalls: [], eventLog: 'not_started' },
      'retry after 0',
    ],
    [
      'and only once',
      { end: 'lost', tier: 3, toolCalls: [], eventLog: 'not_started', retriesUsed: 1 },
      'end RETRIES_SPENT lost lost',
    ],
    [
      'tier 1 is tried again whatever it ran',
      { end: 'lost', tier: 1, startMode: 'fresh', toolCalls: [restart] },
      'retry after 0',
    ],
    [
      '[SAS-3.3] tier 1 is tried again once',
      { end: 'lost', tier: 1, startMode: 'fresh', retriesUsed: 1 },
      'end RETRIES_SPENT lost lost',
    ],
    ['a missing report: once more', { end: 'report_missing', tier: 1 }, 'retry after 0'],
    [
      'then failed',
      { end: 'report_missing', tier: 1, retriesUsed: 1 },
      'end RETRIES_SPENT failed failed',
    ],

    [
      'an overloaded provider: later',
      { end: 'overloaded', tier: 1, retry: { kind: 'after', seconds: 120 } },
      'retry after 120',
    ],
    [
      'but not after the next slots',
      { end: 'rate_limited', tier: 1, retry: { kind: 'after', seconds: 3_600 } },
      'end NO_RETRY failed failed',
    ],
    ['killed', { end: 'killed', tier: 1 }, 'retry after 0'],
    ['unreachable', { end: 'unreachable', tier: 1 }, 'retry after 0'],
    ['stopped by a person', { end: 'stopped' }, 'end STOPPED stopped stopped'],
    [
      'stopped in the middle of work',
      { end: 'stopped', toolCalls: [restart] },
      'end STOPPED stopped stopped human',
    ],
    [
      'timed out',
      { end: 'timed_out', tier: 1, retry: { kind: 'none' } },
      'end NO_RETRY timed_out failed',
    ],
    [
      'timed out in the middle of work, looked at before',
      { end: 'timed_out', toolCalls: [restart], hasReconciled: true },
      'end MAY_HAVE_CHANGED timed_out failed human',
    ],
    [
      'a look would fail for the same reason',
      { end: 'auth', toolCalls: [restart] },
      'end MAY_HAVE_CHANGED failed failed human',
    ],
    [
      'a look that completed keeps the end it was made for',
      { end: 'completed', purpose: 'reconcile', startMode: 'reconcile', reconciledEnd: 'lost' },
      'reconciled lost',
    ],
    [
      'a look that failed is not repeated',
      { end: 'crashed', purpose: 'reconcile', startMode: 'reconcile', reconciledEnd: 'timed_out' },
      'reconciled timed_out',
    ],
    [
      'a look that was stopped',
      { end: 'stopped', purpose: 'reconcile', startMode: 'reconcile', reconciledEnd: 'lost' },
      'end STOPPED stopped stopped',
    ],
  ])('%s', (_title, fields, expected) => {
    expect(after(fields)).toBe(expected);
  });

  const ENDS: AttemptEnd[] = [
    'resume_rejected',
    'context_exhausted',
    'history_unreplayable',
    'work_dir_changed',
    'auth',
    'rate_limited',
    'overloaded',
    'max_turns',
    'max_budget',
    'stalled',
    'timed_out',
    'stopped',
    'killed',
    'crashed',
    'lost',
    'start_failed',
    'report_missing',
    'unreachable',
    'bad_request',
    'refused_by_model',
    'disk_full',
    'unknown',
  ];

  it.each<[string, Partial<AfterEndFacts>, string]>([
    ['a stop', { end: 'stopped' }, 'It won’t be retried automatically.'],
    [
      'a stop that may have left a change',
      { end: 'stopped', toolCalls: [restart] },
      'It may have changed something. Check the current state before you start a chain.',
    ],
    [
      'a second silence',
      { end: 'stalled', hasContinued: true },
      'It stalled again after it was continued once. The next chain starts as usual.',
    ],
    [
      'a second silence that may have left a change',
      { end: 'stalled', hasContinued: true, toolCalls: [restart], canReconcile: false },
      'It stalled again after it was continued once. It may have changed something: check the current state, then start a chain.',
    ],
    [
      'a limit that lasts too long',
      { end: 'rate_limited', retry: { kind: 'after', seconds: MAX_WAIT_SECONDS + 1 } },
      'A retry makes sense in 15 min at the earliest. The next chain starts as usual.',
    ],
    [
      'an end that no retry changes',
      { end: 'auth', retry: { kind: 'none' } },
      'Retrying now would not help. The next chain starts as usual.',
    ],
  ])('says what follows %s', (_title, facts, sentence) => {
    expect(decideAfterEnd({ ...FACTS, ...facts })).toMatchObject({ kind: 'end', sentence });
  });

  it('waits for a limit that passes within the longest wait', () => {
    const retry = { kind: 'after' as const, seconds: MAX_WAIT_SECONDS };
    expect(after({ end: 'rate_limited', retry })).toBe(`retry after ${MAX_WAIT_SECONDS}`);
  });

  it.each(ENDS)(
    '[SAS-3.3] tier 2 and 3 work that may have changed something is never repeated after %s',
    (end) => {
      for (const tier of [2, 3] as const) {
        for (const startMode of ['resume', 'handoff', 'fresh'] as const) {
          for (const hasContinued of [false, true]) {
            const facts = { ...FACTS, end, tier, startMode, hasContinued, toolCalls: [restart] };
            const next = decideAfterEnd(facts);
            // Its own conversation knows what was done, so to go on with it repeats nothing.
            const mayContinue = end === 'stalled' && !hasContinued;
            expect(mayContinue ? ['continue'] : ['reconcile', 'end']).toContain(next.kind);
            if (next.kind === 'end') expect(next.needsHuman).toBe(true);
          }
        }
      }
    },
  );

  it.each(ENDS)(
    '[FLT-3.2] tier 2 and 3 work whose last events are unknown is never started again after %s',
    (end) => {
      for (const tier of [2, 3] as const) {
        for (const startMode of ['resume', 'handoff', 'fresh'] as const) {
          const facts = { ...FACTS, end, tier, startMode, toolCalls: [] };
          const next = decideAfterEnd({ ...facts, eventLog: 'incomplete' });
          expect(['reconcile', 'end']).toContain(next.kind);
          if (next.kind === 'end') expect(next.needsHuman).toBe(true);
        }
      }
    },
  );

  it.each(ENDS)('a session that ends over and over after %s comes to an end', (end) => {
    const facts: AfterEndFacts = { ...FACTS, end };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const next = decideAfterEnd(facts);
      if (next.kind === 'end') return;
      if (next.kind === 'fallback') facts.hasFallenBack = true;
      if (next.kind === 'retry') facts.retriesUsed += 1;
      if (next.kind === 'reconcile') facts.hasReconciled = true;
      if (next.kind === 'continue') facts.hasContinued = true;
      facts.startMode = 'handoff';
    }
    expect.unreachable('five attempts and no end');
  });
});
