import { describe, expect, it } from 'vitest';
import { runnerEventSchema } from '../events';
import { checkTestOutcomeSchema } from '../schema';
import { checkSchema } from '../spec';
import { resultFor, revisionNeeded, runnableChecks } from './revision';

describe('[INC-1.1] the revision that a check needs', () => {
  it.each([
    [
      { type: 'http', target: 'http://x', expectStatus: 200, expectText: 'ok', everySeconds: 60 },
      1,
    ],
    [{ type: 'tcp', target: 'x:1' }, 1],
    // An older runner would leave these conditions out and call the target healthy.
    [{ type: 'http', target: 'http://x', expectJson: { path: '$.a', equals: 1 } }, 2],
    [{ type: 'http', target: 'http://x', maxResponseMs: 100 }, 2],
    [{ type: 'tcp', target: 'x:1', expectText: 'SSH' }, 2],
    [{ type: 'dns', target: 'x', recordType: 'MX' }, 2],
    [{ type: 'tls', target: 'x' }, 2],
    [{ type: 'command', target: 'df' }, 2],
  ])('%j: %d', (check, revision) => {
    expect(revisionNeeded(checkSchema.parse(check))).toBe(revision);
  });
});

it('[INC-1.1] leaves heartbeats to the control plane', () => {
  const checks = [
    checkSchema.parse({ type: 'heartbeat', target: 'backup' }),
    checkSchema.parse({ type: 'tcp', target: 'x:1' }),
  ];
  expect(runnableChecks({ checks }).map(({ type }) => type)).toEqual(['tcp']);
});

describe('[INC-1.1] statuses between versions', () => {
  const unknown = { status: 'unknown', error: 'There is no docker on this runner.' } as const;

  it.each([
    [undefined, 'down'],
    [1, 'down'],
    [2, 'unknown'],
    [3, 'unknown'],
  ])('an unknown outcome for a control plane of revision %s is %s', (revision, status) => {
    expect(resultFor(revision, unknown)).toEqual({ ...unknown, status });
    expect(resultFor(revision, { status: 'healthy', error: '' }).status).toBe('healthy');
  });

  const event = {
    kind: 'check_result',
    service: 'web',
    type: 'http',
    target: 'x',
    error: '',
    responseTimeMs: 1,
  };
  it.each([
    ['healthy', 'healthy'],
    ['unknown', 'unknown'],
    ['flapping', 'unknown'],
  ])('the status %s of a runner is read as %s, and its event is kept', (status, expected) => {
    expect(runnerEventSchema.parse({ ...event, status })).toMatchObject({ status: expected });
    const outcome = { status, error: '', responseTimeMs: null };
    expect(checkTestOutcomeSchema.parse(outcome)).toMatchObject({ status: expected });
  });

  it('keeps an event whose facts it can’t read', () => {
    const parsed = runnerEventSchema.parse({ ...event, status: 'down', facts: { address: 7 } });
    expect(parsed).toMatchObject({ status: 'down' });
    expect(parsed).not.toHaveProperty('facts.address');
  });
});
