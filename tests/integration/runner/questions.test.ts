/** Questions of an agent: they reach the control plane, and one answer reaches the process. */
import { afterEach, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { StartSpec } from '@/lib/protocol/spec';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

/** Asks at its prompt, repeats what it is told, and ends when its stdin does. */
const ASKING = `
  const request = (id, tool, input) => say({ type: 'control_request', request_id: id,
    request: { subtype: 'can_use_tool', tool_name: tool, tool_use_id: 'toolu_' + id, input } });
  const ask = (id, question) => request(id, 'AskUserQuestion', { questions: [{ question, header: 'Service',
    multiSelect: false, options: [{ label: 'web', description: 'the site' }, { label: 'db', description: '' }] }] });
  const lines = require('node:readline').createInterface({ input: process.stdin });
  const onLine = (does) => lines.on('line', (line) => does(JSON.parse(line)));
  lines.on('close', () => text('stdin ended'));
  init({ tools: ['Bash', 'Read', 'AskUserQuestion'] });
`;
const ASKS_ONCE = `${ASKING}
  onLine(({ type, message, response }) => {
    if (type === 'user') { text('read ' + message.content); ask('r1', 'Which one?'); return; }
    text('told ' + JSON.stringify(response.response));
    result();
  });`;

const start: Partial<StartSpec> = { purpose: 'ask', reportSchema: null, questionWaitSeconds: 60 };

async function asking(changes: Partial<StartSpec> = {}): Promise<StoredAttempt> {
  const spec = attemptSpec({ start: { ...start, ...changes } });
  host.plane.queue(spec);
  const attempt = host.plane.attempt(spec.attemptId);
  await host.plane.until(() => kindsOf(attempt).includes('question'), 'a question');
  return attempt;
}

const ended = (attempt: StoredAttempt) =>
  host.plane.until(() => attempt.results.length > 0, 'the result');
const kindsOf = (attempt: StoredAttempt) => attempt.events().map(({ kind }) => kind);
const textsOf = (attempt: StoredAttempt) =>
  attempt.events().flatMap((event) => (event.kind === 'text' ? [event.text] : []));
const closedOf = (attempt: StoredAttempt): RunnerEvent[] =>
  attempt.events().filter((event) => event.kind === 'question_closed');

function answer({ spec }: StoredAttempt, answers: Record<string, string>, requestId = 'r1') {
  host.plane.direct({ kind: 'answer', attemptId: spec.attemptId, requestId, answers });
}

it('[CNV-4.3] [CNV-4.2] an answer reaches the process once, which then ends', async () => {
  host = await startRunnerHost({
    agent: `${ASKING}
      onLine(({ type, response }) => {
        if (type === 'user') { ask('r1', 'Which one?'); return; }
        text('told ' + JSON.stringify(response.response));
        if (response.request_id === 'r1') ask('r2', 'And then?'); else result();
      });`,
  });
  const attempt = await asking();
  expect(attempt.events()).toContainEqual({
    kind: 'question',
    requestId: 'r1',
    toolUseId: 'toolu_r1',
    questions: [
      {
        question: 'Which one?',
        header: 'Service',
        multiSelect: false,
        options: [
          { label: 'web', description: 'the site' },
          { label: 'db', description: '' },
        ],
      },
    ],
  });
  answer(attempt, { 'Which one?': 'web' });
  await host.plane.until(() => closedOf(attempt).length === 1, 'the first answer');
  // A directive holds until its end was stored, so it can come again.
  answer(attempt, { 'Which one?': 'db' });
  answer(attempt, { 'And then?': 'db' }, 'r2');
  await ended(attempt);
  expect(closedOf(attempt)).toEqual([
    {
      kind: 'question_closed',
      requestId: 'r1',
      outcome: 'answered',
      answers: { 'Which one?': 'web' },
    },
    {
      kind: 'question_closed',
      requestId: 'r2',
      outcome: 'answered',
      answers: { 'And then?': 'db' },
    },
  ]);
  const [first, second, last] = textsOf(attempt);
  expect(first).toContain('"answers":{"Which one?":"web"}');
  expect(first).toContain('"options":[{"label":"web"');
  expect(second).toContain('"answers":{"And then?":"db"}');
  expect(last).toBe('stdin ended');
  expect(attempt.results[0]).toMatchObject({ exit: { code: 0 }, stopCause: null });
});

it('[CNV-4.3] after the time for it, the agent is told that nobody answered', async () => {
  host = await startRunnerHost({ agent: ASKS_ONCE });
  const attempt = await asking({ questionWaitSeconds: 1 });
  await ended(attempt);
  expect(closedOf(attempt)).toEqual([
    { kind: 'question_closed', requestId: 'r1', outcome: 'expired', answers: null },
  ]);
  expect(textsOf(attempt)[1]).toBe(
    'told {"behavior":"deny","message":"Nobody answered within 1 second. Continue without an answer, and say what you would have asked."}',
  );
});

it('[CNV-4.3] while a question waits, silence is no stall', async () => {
  host = await startRunnerHost({ agent: ASKS_ONCE });
  // The limit counts from the start of the process, which takes its time on a busy machine.
  const limits = { timeoutSeconds: 60, stallSeconds: 5, maxTurns: 10, maxBudgetUsd: 1 };
  const attempt = await asking({ limits, questionWaitSeconds: 7 });
  await ended(attempt);
  expect(closedOf(attempt)).toMatchObject([{ outcome: 'expired' }]);
  expect(attempt.results[0]).toMatchObject({ stopCause: null });
});

it.each([
  ['a stop', `${ASKS_ONCE}`, 'operator'],
  [
    'the end of the process',
    `${ASKING} onLine(() => { ask('r1', 'Which one?'); setTimeout(() => process.exit(3), 300); });`,
    null,
  ],
])('[CNV-4.3] %s closes the question without an answer', async (_what, agent, stopCause) => {
  host = await startRunnerHost({ agent });
  const attempt = await asking();
  const { attemptId } = attempt.spec;
  if (stopCause) host.plane.direct({ kind: 'stop', attemptId, reason: 'operator' });
  await ended(attempt);
  answer(attempt, { 'Which one?': 'web' });
  expect(closedOf(attempt)).toEqual([
    { kind: 'question_closed', requestId: 'r1', outcome: 'cancelled', answers: null },
  ]);
  expect(attempt.results[0]).toMatchObject({ stopCause });
});

it('[CNV-4.3] what else a process asks leave for is refused at once', async () => {
  host = await startRunnerHost({
    agent: `${ASKING}
      let told = 0;
      onLine(({ type, response }) => {
        if (type === 'user') {
          request('b1', 'Bash', { command: 'docker restart web' });
          request('q1', 'AskUserQuestion', { questions: [] });
          request('q2', 'AskUserQuestion', { questions: [{ question: 'x'.repeat(20000) }] });
          request('q3', 'AskUserQuestion', { questions: [{ question: 'x'.repeat(1200000) }] });
          say({ type: 'control_request', request_id: 'm1', request: { subtype: 'mcp_message' } });
          return;
        }
        text(response.request_id + ' ' + (response.error ?? response.response.message));
        told += 1;
        if (told === 5) result();
      });`,
  });
  const attempt = await host.run({ start });
  expect(textsOf(attempt)).toEqual([
    'b1 Permission to use Bash has been denied: no rule of this start allows it, and nobody can allow it now. Continue without it.',
    expect.stringMatching(/^q1 The question could not be shown/),
    expect.stringMatching(/^q2 The question could not be shown/),
    expect.stringMatching(/^q3 The question could not be shown/),
    'm1 Tierwatch does not answer mcp_message requests.',
    'stdin ended',
  ]);
  expect(kindsOf(attempt)).not.toContain('question');
});

it('[CNV-4.3] a secret in a question stays on the host, and its answer still arrives', async () => {
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
  host = await startRunnerHost({
    agent: `${ASKING}
      onLine(({ type, response }) => {
        if (type === 'user') { ask('r1', 'Is ${secret} the token?'); return; }
        text('told ' + Object.keys(response.response.updatedInput.answers)[0].length);
        result();
      });`,
  });
  const attempt = await asking();
  answer(attempt, { 'Is [redacted: github token] the token?': 'web' });
  await ended(attempt);
  expect(textsOf(attempt)).toContain(`told ${`Is ${secret} the token?`.length}`);
  expect(host.plane.bodies.join('')).not.toContain(secret);
});

it('[CNV-4.3] the prompt is told as people wrote it, and a start that cannot ask ends its input', async () => {
  host = await startRunnerHost({ agent: `init(); text('read ' + stdin()); result();` });
  const attempt = await host.run({
    start: { ...start, questionWaitSeconds: null, prompt: 'Why "web"?' },
  });
  expect(textsOf(attempt)).toEqual(['read Why "web"?']);
  expect(attempt.events()[0]).toMatchObject({ kind: 'command', prompt: 'Why "web"?' });
});
