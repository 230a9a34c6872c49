import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import {
  BROKEN,
  earlierAttempt,
  HEALTHY,
  INIT,
  RESUMING,
  reported,
  resultEvent,
  SETTLED_AT,
  type SettlementChange,
  START,
  settlementFacts,
} from '@/tests/support/settlement-facts';
import { planSettlement, type SettlementStep } from './plan';

function step(change: SettlementChange = {}): SettlementStep {
  const { step: planned } = planSettlement(settlementFacts(change), SETTLED_AT);
  if (!planned) throw new Error('Nothing was planned.');
  return planned;
}

const CRASHED = { events: [INIT], result: { exit: { code: 1, signal: null } } } as const;
const LOST = { events: [INIT], result: { exit: null } } as const;
const STALLED = {
  events: [INIT],
  result: { stopCause: 'stalled', exit: { code: null, signal: 'SIGTERM' } },
} as const;
const STOPPED = { events: [INIT], result: { stopCause: 'operator' } } as const;
const REJECTED = {
  events: [],
  result: {
    exit: { code: 1, signal: null },
    stderrTail: 'No conversation found with session ID: f1647ee4',
  },
} as const;
const TIER_2 = { session: { tier: 2 } } as const;
const restarts = (id = 'call-1'): RunnerEvent[] => [
  {
    kind: 'tool_call',
    tool: 'Bash',
    toolUseId: id,
    input: { command: 'docker restart web' },
    parentToolUseId: null,
    messageId: null,
  },
  {
    kind: 'tool_result',
    toolUseId: id,
    denied: false,
    isError: false,
    content: '',
    stdout: null,
    stderr: null,
    exitCode: 0,
    cutBytes: 0,
  },
];

describe('what follows a completed attempt', () => {
  it('ends the chain where all is healthy', () => {
    expect(step()).toMatchObject({
      session: { status: 'completed', statusText: 'All healthy.', isEnded: true },
      handoff: null,
      next: { kind: 'none' },
      chainEnd: { outcome: 'healthy' },
    });
  });

  it('[HND-9.1] starts the next tier with its own model, and stores a handoff', () => {
    const planned = step({ events: reported(BROKEN) });
    const model = settlementFacts().frozen.tiers[1].model;
    expect(planned).toMatchObject({
      session: { status: 'escalated', isEnded: true },
      handoff: { toTier: 2, source: 'built', payload: { services_affected: ['web'] } },
      next: { kind: 'session', tier: 2, model },
      chainEnd: null,
    });
    expect(model).not.toBe(settlementFacts().session.model);
  });

  it('says what the decision was made from: its notes, the handoff file, then the decision', () => {
    const FILE = {
      schema_version: 1,
      recommended_tier: 2,
      services_affected: ['web'],
      check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'refused' }],
      cooldown_state: {},
    };
    const handoffFile = { state: 'read', content: JSON.stringify(FILE) } as const;
    const codes = (change: SettlementChange) => step(change).notices.map(({ code }) => code);
    const [reason] = codes({ events: reported(BROKEN) });
    expect(codes({ events: reported(BROKEN) })).toEqual([reason]);
    expect(codes({ events: reported(BROKEN), result: { handoffFile } })).toEqual([
      'HANDOFF_FILE_DELETED',
      reason,
    ]);
    expect(
      codes({ events: reported(BROKEN), result: { handoffFile: { state: 'absent' } } }),
    ).toEqual(['HANDOFF_ABSENT', reason]);
    const planned = step({ result: { handoffFile } });
    expect(planned.notices.map(({ code }) => code)).toEqual([
      'HANDOFF_DISAGREES',
      'HANDOFF_FILE_DELETED',
      planned.decision.reason,
    ]);
    expect(planned.handoff).toMatchObject({ toTier: 2, source: 'file' });
  });

  it('[HND-1.2] a malformed handoff file fails the session and starts nothing', () => {
    const handoffFile = { state: 'read', content: '{}' } as const;
    const planned = step({ events: reported(BROKEN), result: { handoffFile } });
    expect(planned.session.status).toBe('failed');
    expect(planned.next).toEqual({ kind: 'none' });
    expect(planned.notices.at(-1)?.level).toBe('critical');
  });

  it('a late result plans no step, and is booked', () => {
    const plan = planSettlement(settlementFacts({ attempt: { isLate: true } }), SETTLED_AT);
    expect(plan.step).toBeNull();
    expect(plan.ledger).toHaveLength(1);
    expect(plan.report).toEqual(HEALTHY);
  });

  it('keeps the report of the last result, and none that is malformed', () => {
    const report = (events: RunnerEvent[]) =>
      planSettlement(settlementFacts({ events }), SETTLED_AT).report;
    expect(report([...reported(HEALTHY), resultEvent({ structuredOutput: BROKEN })])).toEqual(
      BROKEN,
    );
    expect(report([INIT, resultEvent({ structuredOutput: { summary: 1 } })])).toBeNull();
    expect(report([INIT])).toBeNull();
  });
});

describe('what follows an attempt that failed', () => {
  const attempt = (purpose: string, onlyMode: string | null = null) => ({
    next: { kind: 'attempt', purpose, onlyMode, afterSeconds: 0 },
    session: { status: 'queued', isEnded: false },
    chainEnd: null,
    notices: [{ level: 'warning' }],
  });
  const ended = (status: string, outcome: string, reason: string) => ({
    next: { kind: 'none' },
    session: { status, isEnded: true },
    chainEnd: { outcome, reason },
  });
  const chainEnd = (change: SettlementChange) => step(change).chainEnd;

  it.each<[string, SettlementChange, object]>([
    ['a crash is retried', CRASHED, attempt('tier')],
    [
      'a crash is retried once',
      { ...CRASHED, earlier: [earlierAttempt()] },
      ended('failed', 'failed', 'CRASHED'),
    ],
    ...(
      ['resume_rejected', 'work_dir_changed', 'transcript_changed', 'agent_changed'] as const
    ).map((end): [string, SettlementChange, object] => [
      `[ENG-2.5] an attempt that never began is no retry: ${end}`,
      { ...CRASHED, earlier: [earlierAttempt({ end })] },
      attempt('tier'),
    ]),
    [
      'nor is a reconcile',
      { ...CRASHED, earlier: [earlierAttempt({ purpose: 'reconcile' })] },
      attempt('tier'),
    ],
    [
      'a session that has fallen back stays with the handoff',
      { ...CRASHED, attempt: { onlyMode: 'handoff' } },
      attempt('tier', 'handoff'),
    ],
    [
      '[RES-7.2] a rejected resume falls back to the handoff',
      { ...REJECTED, attempt: { start: RESUMING, startMode: 'resume' } },
      attempt('tier', 'handoff'),
    ],
    [
      '[RES-7.2] but not twice',
      {
        ...REJECTED,
        attempt: { start: RESUMING, startMode: 'resume' },
        earlier: [earlierAttempt({ end: 'resume_rejected', onlyMode: 'handoff' })],
      },
      ended('failed', 'failed', 'RESUME_REJECTED'),
    ],
    [
      '[RES-7.2] nor after it started from the handoff itself',
      { ...REJECTED, attempt: { start: RESUMING, startMode: 'resume', onlyMode: 'handoff' } },
      ended('failed', 'failed', 'RESUME_REJECTED'),
    ],
    ['[ENG-5.5] a silence continues', STALLED, attempt('continue')],
    [
      '[ENG-5.5] but once only',
      { ...STALLED, attempt: { isContinuation: true } },
      ended('failed', 'failed', 'CONTINUE_SPENT'),
    ],
    [
      '[SAS-3.3] tier 2 looks at what a lost attempt may have changed',
      { ...LOST, ...TIER_2, attempt: { start: { ...START, tier: 2 } } },
      attempt('reconcile', 'handoff'),
    ],
    ['[SAS-3.3] tier 1 has nothing to look at', LOST, attempt('tier')],
    [
      '[SAS-3.3] an earlier change counts too',
      { ...CRASHED, ...TIER_2, earlier: [earlierAttempt({ mayHaveActed: true })] },
      attempt('reconcile', 'handoff'),
    ],
    [
      '[SAS-3.3] a change of its own counts',
      { ...CRASHED, ...TIER_2, events: [INIT, ...restarts()] },
      attempt('reconcile', 'handoff'),
    ],
    [
      '[SAS-3.3] it looks once',
      {
        ...CRASHED,
        ...TIER_2,
        earlier: [
          earlierAttempt({ mayHaveActed: true }),
          earlierAttempt({ purpose: 'reconcile', end: 'crashed' }),
        ],
      },
      ended('failed', 'failed', 'CRASHED'),
    ],
    [
      '[SAS-3.3] what no runner reported may have changed something',
      { ...CRASHED, ...TIER_2, attempt: { isReported: false } },
      attempt('reconcile', 'handoff'),
    ],
    ['a stop ends it', STOPPED, ended('stopped', 'stopped', 'STOPPED')],
  ])('%s', (_, change, expected) => {
    expect(step(change)).toMatchObject(expected);
  });

  it.each(['cooldown', 'budget', 'policy'] as const)(
    'a stop by the rule of a %s needs a human',
    (stopCause) => {
      const planned = step({ ...STOPPED, result: { stopCause } });
      const reason = stopCause.toUpperCase();
      expect(planned.chainEnd).toMatchObject({ outcome: 'needs_human', reason });
      expect(planned.notices).toMatchObject([{ level: 'critical', code: reason }]);
    },
  );

  it('a rule stops no attempt that never started', () => {
    const startError = { code: 'missing', message: 'no such file' } as const;
    const planned = step({ events: [], result: { startError, exit: null, stopCause: 'budget' } });
    expect(planned.chainEnd).toMatchObject({ outcome: 'failed', reason: 'START_FAILED' });
  });

  it('a stop by a person is news, unless something may have changed', () => {
    expect(step(STOPPED).notices).toMatchObject([{ level: 'info', code: 'STOPPED' }]);
    const changed = { ...STOPPED, ...TIER_2, events: [INIT, ...restarts()] };
    expect(step(changed).notices).toMatchObject([{ level: 'critical', code: 'STOPPED' }]);
    const failed = { ...CRASHED, earlier: [earlierAttempt()] };
    expect(step(failed).notices).toMatchObject([{ level: 'critical', code: 'CRASHED' }]);
  });

  it('names the services that it was started for where a person has to look', () => {
    const previousHandoff = {
      schema_version: 1,
      recommended_tier: 2,
      services_affected: ['web'],
      check_results: [],
      cooldown_state: {},
    } as unknown as NonNullable<SettlementChange['previousHandoff']>;
    const changed = { ...STOPPED, ...TIER_2, events: [INIT, ...restarts()], previousHandoff };
    expect(chainEnd(changed)?.servicesAffected).toEqual(['web']);
    expect(chainEnd({ ...STOPPED, ...TIER_2, previousHandoff })?.servicesAffected).toEqual([]);
    expect(chainEnd({ ...changed, previousHandoff: null })?.servicesAffected).toEqual([]);
  });
});

describe('[SAS-3.3] what follows a look at what stands', () => {
  const LOOKED = {
    ...TIER_2,
    attempt: { purpose: 'reconcile', startMode: 'reconcile' },
    earlier: [earlierAttempt({ end: 'lost', mayHaveActed: true, endText: 'eu-1 was lost.' })],
  } as const satisfies SettlementChange;

  it('keeps the end that was examined, and ends the chain by what was found', () => {
    expect(step(LOOKED)).toMatchObject({
      session: { status: 'lost', isEnded: true },
      next: { kind: 'none' },
      handoff: null,
      chainEnd: { outcome: 'healthy' },
      notices: [{ level: 'warning' }],
    });
    expect(step(LOOKED).session.statusText).toMatch(/^eu-1 was lost\. /);
  });

  it('says that the tier did not finish where the end has no text', () => {
    const earlier = [earlierAttempt({ end: 'timed_out', mayHaveActed: true, endText: '' })];
    const planned = step({ ...LOOKED, earlier });
    expect(planned.session.status).toBe('timed_out');
    expect(planned.session.statusText).toMatch(/^Tier 2 didn't finish\. /);
    expect(planned.chainEnd?.statusText).toMatch(/^Tier 2 didn't finish\. /);
  });

  it.each<[string, SettlementChange]>([
    ['finds it broken', { events: reported(BROKEN) }],
    ['fails', CRASHED],
    ['was stopped by its time', { events: reported(HEALTHY).slice(0, 1), result: STALLED.result }],
  ])('needs a human where the look %s', (_, change) => {
    const planned = step({ ...LOOKED, ...change });
    expect(planned.chainEnd?.outcome).toBe('needs_human');
    expect(planned.notices).toMatchObject([{ level: 'critical' }]);
  });

  it('counts no report of a look that failed', () => {
    const events = [INIT, resultEvent({ isError: true, subtype: 'error_max_turns' })];
    expect(step({ ...LOOKED, events }).chainEnd).toMatchObject({
      outcome: 'needs_human',
      reason: 'RECONCILE_FAILED',
    });
  });

  it('counts what was checked before and during the look', () => {
    const check = (status: 'healthy' | 'down') =>
      ({
        kind: 'check_result',
        service: 'api',
        type: 'http',
        target: 'http://api',
        status,
        error: '',
        responseTimeMs: null,
      }) as const;
    const affected = (change: SettlementChange) =>
      step({ ...LOOKED, ...change }).chainEnd?.servicesAffected;
    expect(affected({ earlierChecks: [check('down')] })).toEqual(['api']);
    expect(affected({ events: [...reported(HEALTHY), check('down')] })).toEqual(['api']);
    const since = [...reported(HEALTHY), check('healthy')];
    expect(affected({ earlierChecks: [check('down')], events: since })).toEqual([]);
  });

  it('is no end that a look was for, in other attempts', () => {
    const earlier = [earlierAttempt({ end: 'lost' })];
    expect(step({ earlier }).session.status).toBe('completed');
  });
});

describe('what follows after a stop was asked for', () => {
  const chain = { isStopRequested: true };

  it.each<[string, SettlementChange, string]>([
    ['the next tier', { events: reported(BROKEN) }, 'completed'],
    ['a retry', CRASHED, 'stopped'],
    ['a continuation', STALLED, 'stopped'],
  ])('not %s', (_, change, status) => {
    const planned = step({ ...change, chain });
    expect(planned).toMatchObject({
      session: { status, isEnded: true },
      handoff: null,
      next: { kind: 'none' },
      chainEnd: { outcome: 'stopped', reason: 'STOPPED', servicesAffected: [] },
    });
    const { notices } = step(change);
    expect(planned.notices).toMatchObject([...notices, { level: 'info', code: 'STOPPED' }]);
  });

  it('but the end that nothing follows anyway', () => {
    expect(step({ chain })).toEqual(step());
  });
});
