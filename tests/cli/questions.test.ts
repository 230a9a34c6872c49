/** The real CLI asks a person: what the runner tells, and what of the answer reaches the model. */
import { expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { attemptSpec } from '../support/fake-control-plane/attempt-spec';
import type { StoredAttempt } from '../support/fake-control-plane/attempt-store';
import type { RunnerHost } from '../support/fake-control-plane/runner-host';
import { conversationOf } from '../support/messages-api/conversation';
import { callBash, callTool, say } from '../support/messages-api/reply';
import { askStart, resumeOf } from './support/cli-host';
import { newestCli } from './support/clis';
import { withRunner } from './support/with-runner';

const PROJECT = {
  organizationId: '5d0f5a2e-6c1c-4b7f-9a3e-0c8a2f3f1a01',
  projectId: '5d0f5a2e-6c1c-4b7f-9a3e-0c8a2f3f1a02',
};
const QUESTION = {
  question: 'Which service?',
  header: 'Service',
  multiSelect: false,
  options: [
    { label: 'web', description: 'the site' },
    { label: 'db', description: 'the data' },
  ],
};
const ask = () => callTool('AskUserQuestion', { questions: [QUESTION] });

/** Queues a turn and waits for its question. */
async function asked(host: RunnerHost, start: StartSpec) {
  const spec = attemptSpec({ ...PROJECT, start });
  host.plane.queue(spec);
  const attempt = host.plane.attempt(spec.attemptId);
  const find = () => attempt.events().find((event) => event.kind === 'question');
  await host.plane.until(() => find() !== undefined || attempt.results.length > 0, 'a question');
  return { attempt, question: find() };
}

async function answered(host: RunnerHost, start: StartSpec, answers: Record<string, string>) {
  const { attempt, question } = await asked(host, start);
  expect(question).toMatchObject({ questions: [QUESTION] });
  const { attemptId } = attempt.spec;
  const requestId = question?.requestId ?? '';
  host.plane.direct({ kind: 'answer', attemptId, requestId, answers });
  await ended(host, attempt);
  return attempt;
}

const ended = (host: RunnerHost, attempt: StoredAttempt) =>
  host.plane.until(() => attempt.results.length > 0, 'the result');
const closedOf = (attempt: StoredAttempt) =>
  attempt.events().filter((event) => event.kind === 'question_closed');
const answerOf = (attempt: StoredAttempt) =>
  attempt.events().flatMap((event) => (event.kind === 'result' ? [event.text] : []));
const codesOf = (attempt: StoredAttempt) =>
  attempt.events().flatMap((event) => (event.kind === 'notice' ? [event.code] : []));

for (const cli of newestCli()) {
  const test = it.skipIf(cli.problem !== null);

  test(`[CNV-4.3] [CNV-1.1] CLI ${cli.version}: a question on a fresh turn and on the resumed one, each with its answer`, () =>
    withRunner(
      cli.binary,
      [ask(), say('web is down.'), ask(), say('db is well.')],
      async (host, api) => {
        const one = askStart('Which one is down?');
        const first = await answered(host, one, { 'Which service?': 'web' });
        const [fresh, told] = api.requests;
        expect(fresh?.tools).toContain('AskUserQuestion');
        expect(told?.lastToolResults).toEqual([expect.stringContaining('"Which service?"="web"')]);
        expect(answerOf(first)).toEqual(['web is down.']);
        expect(first.results[0]).toMatchObject({ exit: { code: 0 }, stopCause: null });
        expect(closedOf(first)).toMatchObject([
          { outcome: 'answered', answers: { 'Which service?': 'web' } },
        ]);
        expect(codesOf(first)).toEqual([]);

        const two = askStart('And the other?', { continuation: resumeOf(one) });
        const second = await answered(host, two, { 'Which service?': 'db' });
        const resumed = api.requests[2];
        const before = told === undefined ? [] : conversationOf(told);
        const now = resumed === undefined ? [] : conversationOf(resumed);
        expect(now.slice(0, before.length)).toEqual(before);
        expect(now.slice(before.length)).toEqual([
          { role: 'assistant', blocks: [{ type: 'text', text: 'web is down.' }] },
          { role: 'user', blocks: [{ type: 'text', text: 'And the other?' }] },
        ]);
        expect(api.requests[3]?.lastToolResults).toEqual([
          expect.stringContaining('"Which service?"="db"'),
        ]);
        expect(answerOf(second)).toEqual(['db is well.']);
        expect(closedOf(second)).toMatchObject([{ outcome: 'answered' }]);
      },
    ));

  test(`[CNV-4.3] CLI ${cli.version}: nobody answers, the agent continues`, () =>
    withRunner(cli.binary, [ask(), say('I would have asked which one.')], async (host, api) => {
      const { attempt } = await asked(host, askStart('Look.', { questionWaitSeconds: 1 }));
      await ended(host, attempt);
      expect(closedOf(attempt)).toMatchObject([{ outcome: 'expired', answers: null }]);
      expect(api.requests[1]?.lastToolResults).toEqual([
        expect.stringContaining('Nobody answered within 1 second. Continue without an answer'),
      ]);
      expect(answerOf(attempt)).toEqual(['I would have asked which one.']);
    }));

  test(`[CNV-4.3] CLI ${cli.version}: a stop while it waits ends the process and the question`, () =>
    withRunner(cli.binary, [ask(), say('never said')], async (host, api) => {
      const { attempt } = await asked(host, askStart('Look.'));
      const { attemptId } = attempt.spec;
      host.plane.direct({ kind: 'stop', attemptId, reason: 'operator' });
      await ended(host, attempt);
      expect(closedOf(attempt)).toMatchObject([{ outcome: 'cancelled' }]);
      expect(attempt.results[0]).toMatchObject({ stopCause: 'operator' });
      expect(attempt.results[0]?.exit?.signal).not.toBe('SIGKILL');
      expect(api.requests).toHaveLength(1);
    }));

  test(`[CNV-4.3] CLI ${cli.version}: where it may ask, it may do no more than tier 1`, () =>
    withRunner(
      cli.binary,
      [
        callBash('docker restart web'),
        callBash('curl -X POST http://127.0.0.1:1/'),
        callBash('touch made-by-a-turn'),
        callTool('Write', { file_path: 'x', content: 'y' }),
        callTool('Read', { file_path: '/etc/hostname' }),
        callBash('echo looked'),
        say('done'),
      ],
      async (host) => {
        const attempt = await host.run({ ...PROJECT, start: askStart('Repair it.') });
        const results = attempt.events().filter((event) => event.kind === 'tool_result');
        expect(results.map(({ denied }) => denied)).toEqual([true, true, true, true, true, false]);
        expect(results.at(-1)).toMatchObject({ stdout: 'looked' });
        expect(answerOf(attempt)).toEqual(['done']);
        expect(attempt.events().filter(({ kind }) => kind === 'question')).toEqual([]);
      },
    ));
}
