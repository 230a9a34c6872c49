import { describe, expect, it } from 'vitest';
import { directivesFor, directivesNow, NOTHING_SAID } from './directives';

const at = new Date('2026-11-21T14:00:00Z');

const ATTEMPT: Parameters<typeof directivesFor>[0] = {
  id: 'a1',
  status: 'running',
  fence: 3,
  stopRequestedAt: null,
  stopCause: null,
  checkpointRequestedAt: null,
};
const RUNNER: Parameters<typeof directivesNow>[0] = {
  drainingAt: null,
  pausedAt: null,
  revokedAt: null,
  slotLimit: null,
  rotationRequestedAt: null,
  updateTo: null,
};
const ANSWERED = [{ requestId: 'q1', answers: { 'Restart it?': 'No' } }];
const stop = (reason: string, attemptId = 'a1') => ({ kind: 'stop', attemptId, reason });
const checkpoint = { kind: 'checkpoint', attemptId: 'a1', requestedAt: at.toISOString() };

describe('directives for an attempt', () => {
  it.each<[string, Partial<typeof ATTEMPT>, number, object[]]>([
    ['none while all holds', {}, 3, []],
    ['[SAS-3.3] a stop under an older fence', {}, 2, [stop('fenced')]],
    ['[SAS-3.3] a stop under a fence that was never given', {}, 4, [stop('fenced')]],
    ['a stop of one that has ended', { status: 'ended' }, 3, [stop('fenced')]],
    ['the cause of a stop', { stopRequestedAt: at, stopCause: 'budget' }, 3, [stop('budget')]],
    ["a person's stop", { stopRequestedAt: at, stopCause: null }, 3, [stop('operator')]],
    ['an unknown cause', { stopRequestedAt: at, stopCause: 'moon' }, 3, [stop('operator')]],
    ['a checkpoint', { checkpointRequestedAt: at }, 3, [checkpoint]],
    [
      'no checkpoint of one that stops, which writes one anyway',
      { checkpointRequestedAt: at, stopRequestedAt: at, questions: ANSWERED },
      3,
      [stop('operator')],
    ],
    [
      'the answer to a question',
      { questions: ANSWERED },
      3,
      [{ kind: 'answer', attemptId: 'a1', ...ANSWERED[0] }],
    ],
  ])('%s', (_, change, fence, directives) => {
    expect(directivesFor({ ...ATTEMPT, ...change }, fence)).toEqual(directives);
  });

  it.each(['operator', 'fenced', 'cooldown', 'budget', 'policy'])('names the cause %s', (cause) => {
    const stopped = { ...ATTEMPT, stopRequestedAt: at, stopCause: cause };
    expect(directivesFor(stopped, 3)).toEqual([stop(cause)]);
  });
});

describe('directives for a runner', () => {
  const said = (
    change: Partial<typeof RUNNER>,
    believed: { attemptId: string; fence: number }[] = [],
  ) => directivesNow({ ...RUNNER, ...change }, [ATTEMPT], believed).directives;

  it.each([
    ['under the current fence', { attemptId: 'a1', fence: 3 }, []],
    ['under an older fence', { attemptId: 'a1', fence: 2 }, [stop('fenced')]],
    ['that it was never given', { attemptId: 'a2', fence: 3 }, [stop('fenced', 'a2')]],
  ])('[SAS-3.3] stop what it believes to run %s', (_, believed, directives) => {
    expect(said({}, [believed])).toEqual(directives);
  });

  it.each<[Partial<typeof RUNNER>, object[]]>([
    [{}, []],
    [{ drainingAt: at }, [{ kind: 'drain' }]],
    [{ pausedAt: at }, [{ kind: 'drain' }]],
    [{ drainingAt: at, pausedAt: at }, [{ kind: 'drain' }]],
    [{ slotLimit: 0 }, [{ kind: 'limit', slots: 0 }]],
    [{ rotationRequestedAt: at }, [{ kind: 'rotate_key' }]],
    [{ updateTo: 'c1' }, [{ kind: 'drain' }, { kind: 'update', sha256: 'c1' }]],
    [{ revokedAt: at }, [{ kind: 'revoked' }]],
  ])('for %j', (change, directives) => {
    expect(said(change)).toEqual(directives);
  });

  it('have the digest of nothing only where there are none', () => {
    const digest = (change: Partial<typeof RUNNER>) =>
      directivesNow({ ...RUNNER, ...change }, [], []).digest;
    expect(digest({})).toBe(NOTHING_SAID);
    expect(digest({ drainingAt: at })).not.toBe(NOTHING_SAID);
    const later = new Date(at.getTime() + 1);
    expect(digest({ rotationRequestedAt: at })).not.toBe(digest({ rotationRequestedAt: later }));
  });
});
