import { describe, expect, it } from 'vitest';
import {
  type CheckState,
  NEVER_CHECKED,
  nextCheckState,
  overdueAfterMs,
  overdueAt,
  type ResultStatus,
  serviceStateOf,
} from './check-state';

const WORDS: Record<string, ResultStatus> = {
  h: 'healthy',
  g: 'degraded',
  d: 'down',
  u: 'unknown',
};

const at = (index: number) => new Date(Date.UTC(2026, 10, 26, 3, index));

/** The state after each result: `hdd` under 2 of 3 gives `hhd`. */
function statesOf(results: string, failures: number, lastResults: number): string {
  let state: CheckState = NEVER_CHECKED;
  return [...results]
    .map((letter, index) => {
      const status = WORDS[letter] ?? 'unknown';
      state = nextCheckState(state, { status, at: at(index) }, { failures, lastResults });
      return Object.keys(WORDS).find((word) => WORDS[word] === state.status);
    })
    .join('');
}

describe('[INC-1.1] the state of a check', () => {
  it.each([
    // [what, N, M, results, states after each]
    ['one of one: each result decides', 1, 1, 'hdhgu', 'hdhgu'],
    ['two of three: one failure changes nothing', 2, 3, 'hhdhhh', 'hhhhhh'],
    ['two of three: the second failure counts', 2, 3, 'hhddhh', 'hhhddh'],
    ['two of three: with one success in between', 2, 3, 'hdhdhhh', 'hhhddhh'],
    ['two of three: two successes in a row end it', 2, 3, 'ddhh', 'uddh'],
    ['alternating results fail, and stay failing', 2, 3, 'hdhdhdhd', 'hhhddddd'],
    ['two of five: old failures keep it failing', 2, 5, 'hddhhhh', 'hhddddh'],
    ['three of three: in a row', 3, 3, 'hddhdddhhh', 'hhhhhhdddh'],
    ['a first failure says nothing yet', 2, 3, 'd', 'u'],
    ['a first success is believed', 2, 3, 'h', 'h'],
    ['a new check that fails', 2, 3, 'dd', 'ud'],
    ['a new check that fails and passes', 2, 3, 'dhh', 'uhh'],
    ['degraded is less than down', 2, 3, 'hggdd', 'hhggd'],
    ['down and degraded together are degraded', 2, 3, 'hgdg', 'hhgg'],
    ['down eases to degraded', 2, 3, 'hddggg', 'hhddgg'],
    ['what could not be checked counts neither way', 2, 3, 'hdudhh', 'hhhddh'],
    ['nothing known twice: unknown', 2, 3, 'hhuu', 'hhhu'],
    ['unknown is no recovery', 2, 3, 'hdduu', 'hhddu'],
    ['known again after unknown', 2, 3, 'hhuuhh', 'hhhuhh'],
    ['failing again after unknown', 2, 3, 'hduudd', 'hhhuud'],
    ['every second one unknown: the known ones fail', 3, 3, 'hhhdududu', 'hhhhhhhdd'],
    ['every second one unknown, from the start', 3, 3, 'uuudududh', 'uuuuuuudd'],
    ['one known of three: the known ones fail', 3, 3, 'hduuduud', 'hhhhhhhd'],
    ['one known of three, where two unknown are enough', 2, 3, 'hduuduud', 'hhhuuuuu'],
    ['a failure from before nothing was known counts no more', 2, 5, 'hduudhd', 'hhhuuhd'],
    ['an outage before nothing was known ends like any other', 2, 3, 'ddhuuhh', 'uddduuh'],
    [
      'an outage before nothing was known: one pass among failures ends nothing',
      2,
      5,
      'dduudhhh',
      'udduuuhh',
    ],
    ['a first failure before nothing was known starts no outage', 2, 3, 'hduuh', 'hhhuh'],
    ['unknown results among passing ones prove nothing', 2, 3, 'dduhuh', 'uddddh'],
  ])('%s', (_what, failures, lastResults, results, states) => {
    expect(statesOf(results, failures, lastResults)).toBe(states);
  });

  it('keeps what it judges by: the last known results and the unknown ones since', () => {
    const rule = { failures: 3, lastResults: 4 };
    let state: CheckState = NEVER_CHECKED;
    for (const [index, letter] of [...'hdhuhduduu'].entries()) {
      state = nextCheckState(state, { status: WORDS[letter] ?? 'unknown', at: at(index) }, rule);
    }
    expect(state.recent.map((one) => [one.status, one.at])).toEqual([
      ['healthy', at(2)],
      ['healthy', at(4)],
      ['down', at(5)],
      ['down', at(7)],
      ['unknown', at(8)],
      ['unknown', at(9)],
    ]);
    for (const index of [10, 11, 12]) {
      state = nextCheckState(state, { status: 'unknown', at: at(index) }, rule);
    }
    expect(state.recent.map((one) => one.at)).toEqual([at(10), at(11), at(12)]);
  });

  it('has failed since the first failing result, not since its state changed', () => {
    const rule = { failures: 2, lastResults: 3 };
    let state: CheckState = NEVER_CHECKED;
    for (const [index, status] of (['healthy', 'down', 'down'] as const).entries()) {
      state = nextCheckState(state, { status, at: at(index) }, rule);
    }
    expect(state).toMatchObject({ status: 'down', statusSince: at(2), failingSince: at(1) });
    for (const [index, status] of (['unknown', 'unknown', 'down', 'down'] as const).entries()) {
      state = nextCheckState(state, { status, at: at(3 + index) }, rule);
    }
    expect(state).toMatchObject({ status: 'down', failingSince: at(1) });
    for (const index of [7, 8]) {
      state = nextCheckState(state, { status: 'healthy', at: at(index) }, rule);
    }
    expect(state).toMatchObject({ status: 'healthy', statusSince: at(8), failingSince: null });
  });
});

describe('[INC-1.1] the state of a service', () => {
  it.each([
    ['hh', 'healthy', null],
    ['hg', 'degraded', 1],
    ['gd', 'down', 0],
    ['hu', 'unknown', null],
    ['ud', 'down', 1],
    ['', 'unknown', null],
  ])('of checks that are %s', (letters, status, first) => {
    const checks = [...letters].map((letter, index) => {
      const word = WORDS[letter] ?? 'unknown';
      const fails = word === 'down' || word === 'degraded';
      return { status: word, failingSince: fails ? at(index) : null };
    });
    const since = first === null ? null : at(first);
    expect(serviceStateOf(checks)).toEqual({ status, failingSince: since });
  });

  it('isn’t kept unknown by a heartbeat that waits for its first ping', () => {
    const waiting = { status: 'unknown', failingSince: null, isWaiting: true } as const;
    const passing = { status: 'healthy', failingSince: null } as const;
    expect(serviceStateOf([passing, waiting]).status).toBe('healthy');
    expect(serviceStateOf([waiting]).status).toBe('unknown');
    expect(serviceStateOf([passing, { ...waiting, isWaiting: false }]).status).toBe('unknown');
  });
});

describe('[INC-1.1] a result that is missing', () => {
  it.each([
    [30, 135],
    [60, 195],
    [86_400, 172_875],
  ])('of a check every %d s: after %d s', (everySeconds, seconds) => {
    expect(overdueAfterMs(everySeconds)).toBe(seconds * 1_000);
    const lastAt = new Date('2026-11-26T03:00:00.000Z');
    expect(overdueAt({ lastAt, everySeconds })).toEqual(
      new Date(lastAt.getTime() + seconds * 1_000),
    );
  });

  it('isn’t known of a check that has never run', () => {
    expect(overdueAt({ lastAt: null, everySeconds: 60 })).toBeNull();
  });
});
