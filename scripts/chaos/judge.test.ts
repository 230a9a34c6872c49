import { describe, expect, it } from 'vitest';
import { judge } from './judge';
import type { FaultRecord, Records } from './records';
import { toTable } from './table';

const AT = Date.UTC(2026, 10, 25, 12);

/** One chain whose tier 2 repaired something, as it is if nothing went wrong. */
function goodRun() {
  return {
    planned: 1,
    faults: [
      { number: 1, target: 'worker', at: AT + 2_000, recoveredMs: 1_500, problem: null },
    ] as FaultRecord[],
    posts: [{ key: 'chaos-1-1', chainId: 'chn_1' as string | null }],
    chains: [
      {
        id: 'chn_1',
        number: 1,
        project: 'chaos-1',
        status: 'ended',
        outcome: 'fixed' as string | null,
        costUsd: 0.05,
        sessions: [
          {
            id: 'ses_1',
            number: 1,
            hasStarted: true,
            hasEnded: true,
            costUsd: 0.05,
            attempts: [
              { id: 'att_1', cliSessionId: 'cli-1', end: 'completed', endedAt: AT + 5_000 },
            ],
            ledger: [
              { attemptId: 'att_1', model: 'haiku', costUsd: 0.05, isEstimate: false as boolean },
            ],
            events: [
              { seq: 1, attemptId: null as string | null, tick: null as number | null },
              { seq: 2, attemptId: 'att_1', tick: 0 },
              { seq: 3, attemptId: 'att_1', tick: 1 },
              { seq: 4, attemptId: 'att_1', tick: 2 },
            ],
          },
        ],
      },
    ],
    agents: [
      {
        cliSessionId: 'cli-1',
        beganAt: AT,
        printed: 3,
        repairs: [{ action: 'restart', at: AT + 1_000 }],
        costUsd: 0.05 as number | null,
      },
    ],
    webhooks: [
      { id: 'dlv_1', type: 'chain.started', about: 'chn_1' },
      { id: 'dlv_2', type: 'session.completed', about: 'ses_1' },
      { id: 'dlv_3', type: 'chain.completed', about: 'chn_1' },
    ],
    leftovers: [] as string[],
  } satisfies Records;
}

type Run = ReturnType<typeof goodRun>;

/** The figures that aren't zero. */
function wrongFigures(change: (run: Run) => void): string[] {
  const run = goodRun();
  change(run);
  return judge(run)
    .figures.filter(({ wrong }) => wrong.length > 0)
    .map(({ what }) => what);
}

const chainOf = (run: Run) => run.chains[0] as Run['chains'][number];
const sessionOf = (run: Run) =>
  chainOf(run).sessions[0] as Run['chains'][number]['sessions'][number];
const attemptOf = (run: Run) => sessionOf(run).attempts[0] as { end: string; endedAt: number };
const agentOf = (run: Run) => run.agents[0] as Run['agents'][number];
const runnerKilled = (at: number): FaultRecord => {
  return { number: 2, target: 'runner', at, recoveredMs: null, problem: null };
};
const cutOff = (run: Run) => {
  attemptOf(run).end = 'lost';
  agentOf(run).costUsd = null;
};
/** Puts an estimate in place of the ledger. */
const book = (run: Run, costUsd: number) => {
  sessionOf(run).ledger = [{ attemptId: 'att_1', model: 'haiku', costUsd, isEstimate: true }];
  chainOf(run).costUsd = costUsd;
};
/** A second attempt of the session, which repaired the same again. */
const repeatRepair = (run: Run, action: string) => {
  sessionOf(run).attempts.push({ id: 'att_2', cliSessionId: 'cli-2', end: 'lost', endedAt: AT });
  run.agents.push({
    cliSessionId: 'cli-2',
    beganAt: AT,
    printed: 0,
    repairs: [{ action, at: AT + 60_000 }],
    costUsd: null,
  });
};

describe('[FLT-3.1] the judge of a chaos run', () => {
  it.each<[string, (run: Run) => void, string[]]>([
    ['nothing went wrong', () => {}, []],
    [
      'an acknowledged chain is not there',
      (run) => {
        run.chains.pop();
        agentOf(run).repairs = [];
      },
      ['chains lost'],
    ],
    [
      'a chain has not ended',
      (run) => void Object.assign(chainOf(run), { status: 'waiting' }),
      ['chains stuck'],
    ],
    [
      'a request was never answered',
      (run) => void run.posts.push({ key: 'chaos-1-2', chainId: null }),
      ['chains stuck'],
    ],
    [
      'a chain is in no answer',
      (run) => void run.chains.push({ ...chainOf(run), id: 'chn_2', sessions: [], costUsd: 0 }),
      ['chains started twice by one request', 'webhooks lost'],
    ],
    [
      'a chain is remediated twice in the same way',
      (run) => repeatRepair(run, 'restart'),
      ['remediations run twice'],
    ],
    ['a chain is remediated in another way', (run) => repeatRepair(run, 'redeploy'), []],
    [
      'an agent that no attempt names remediated something',
      (run) => {
        attemptOf(run).end = 'lost';
        run.agents.push({ ...agentOf(run), cliSessionId: 'cli-9' });
      },
      ['remediations run twice'],
    ],
    [
      'the last event of a completed attempt is missing',
      (run) => void sessionOf(run).events.pop(),
      ['events lost'],
    ],
    [
      'an event in the middle is missing',
      (run) => {
        sessionOf(run).events.splice(2, 1);
        for (const [index, event] of sessionOf(run).events.entries()) event.seq = index + 1;
      },
      ['events lost'],
    ],
    [
      'the last event of a killed agent is missing',
      (run) => {
        attemptOf(run).end = 'killed';
        sessionOf(run).events.pop();
      },
      ['events lost'],
    ],
    [
      'the last event of an attempt whose runner was killed is missing',
      (run) => {
        attemptOf(run).end = 'lost';
        sessionOf(run).events.pop();
        run.faults.push(runnerKilled(AT + 4_000));
      },
      [],
    ],
    [
      'it is missing, and the runner was killed only later',
      (run) => {
        attemptOf(run).end = 'lost';
        sessionOf(run).events.pop();
        run.faults.push(runnerKilled(AT + 6_000));
      },
      ['events lost'],
    ],
    [
      'two events are swapped',
      (run) => {
        const { events } = sessionOf(run);
        Object.assign(events[1] ?? {}, { tick: 1 });
        Object.assign(events[2] ?? {}, { tick: 0 });
      },
      ['events doubled or out of order'],
    ],
    [
      'an event is stored twice',
      (run) => void sessionOf(run).events.push({ seq: 5, attemptId: 'att_1', tick: 2 }),
      ['events doubled or out of order'],
    ],
    [
      'a sequence number is left out',
      (run) => void sessionOf(run).events.push({ seq: 6, attemptId: null, tick: null }),
      ['events doubled or out of order'],
    ],
    [
      'a reported cost is not booked',
      (run) => {
        sessionOf(run).ledger.pop();
        chainOf(run).costUsd = 0;
      },
      ['costs lost'],
    ],
    [
      'less than the reported cost is booked',
      (run) => {
        book(run, 0.03);
      },
      ['costs lost'],
    ],
    [
      'nothing is booked for an attempt that was lost after its first event',
      (run) => {
        cutOff(run);
        sessionOf(run).ledger.pop();
        chainOf(run).costUsd = 0;
      },
      ['costs lost'],
    ],
    [
      'the first usage of a lost attempt is booked, and its request in flight',
      (run) => {
        cutOff(run);
        book(run, 0.033);
      },
      [],
    ],
    [
      'the first usage of a lost attempt is booked twice',
      (run) => {
        cutOff(run);
        book(run, 0.06);
      },
      ['costs doubled'],
    ],
    [
      'a cost is booked twice',
      (run) => {
        sessionOf(run).ledger.push({
          attemptId: 'att_1',
          model: 'haiku',
          costUsd: 0.05,
          isEstimate: false,
        });
        chainOf(run).costUsd = 0.1;
      },
      ['costs doubled'],
    ],
    [
      'the total of a chain differs from its ledger',
      (run) => void Object.assign(chainOf(run), { costUsd: 0.1 }),
      ['costs doubled'],
    ],
    ['a webhook did not arrive', (run) => void run.webhooks.pop(), ['webhooks lost']],
    [
      'a webhook arrived twice under its id',
      (run) => void run.webhooks.push({ id: 'dlv_3', type: 'chain.completed', about: 'chn_1' }),
      [],
    ],
    [
      'a webhook arrived under two ids',
      (run) => void run.webhooks.push({ id: 'dlv_4', type: 'chain.completed', about: 'chn_1' }),
      ['webhooks sent under two ids'],
    ],
    [
      'a part did not come back',
      (run) => void run.faults.push({ ...runnerKilled(AT), problem: 'it wasn’t back after 180 s' }),
      ['parts that did not come back'],
    ],
    [
      'a process is left',
      (run) => void run.leftovers.push('4711 sleep'),
      ['processes left behind'],
    ],
  ])('%s', (_what, change, expected) => expect(wrongFigures(change)).toEqual(expected));

  it('names the chain in the table', () => {
    const run = goodRun();
    repeatRepair(run, 'restart');
    const table = toTable(judge(run));
    expect(table).toMatch(/remediations run twice +1 {2}must be 0/);
    expect(table).toContain('Chain #1 of chaos-1 (chn_1): restart by Session #1, attempt att_1');
    expect(table).toContain('Something went wrong.');
  });

  it('says how much of the plan was carried out', () => {
    const table = toTable(judge({ ...goodRun(), planned: 20 }));
    expect(table).toContain('1 of 20, the time was up');
    expect(table).toMatch(/worker +1, back within 1\.5 s/);
    expect(table).toContain('Nothing was lost, doubled or left behind.');
  });
});
