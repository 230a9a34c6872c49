import { afterEach, expect, it } from 'vitest';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

it('[SAS-3.1] starts the agent and reports its command, stream, exit and result', async () => {
  host = await startRunnerHost({
    agent: `const prompt = stdin(); transcript(); init(); text('read: ' + prompt);
      call('t1', 'docker ps'); console.error('a warning'); result({ total_cost_usd: 0.03 });`,
  });
  const attempt = await host.run({ start: { prompt: 'Look at web.' } });
  const events = attempt.events();
  expect(events.map((event) => event.kind)).toEqual([
    'command',
    'process',
    'init',
    'text',
    'tool_call',
    'result',
    'stderr',
    'process',
  ]);
  expect(events[0]).toMatchObject({ prompt: 'Look at web.', cliVersion: '2.1.197' });
  expect(events[2]).toMatchObject({ cliSessionId: attempt.spec.start.cliSessionId });
  expect(events[3]).toMatchObject({ text: 'read: Look at web.' });
  expect(events[5]).toMatchObject({ totalCostUsd: 0.03 });
  expect(attempt.results).toMatchObject([
    {
      lastSeq: events.length,
      exit: { code: 0, signal: null },
      startError: null,
      stopCause: null,
      stderrTail: 'a warning\n',
      transcriptSeen: true,
      handoffFile: { state: 'not_expected' },
      leftoversKilled: 0,
    },
  ]);
});

it('[SAS-3.1] what could not be stored is replaced, and holds nothing up', async () => {
  host = await startRunnerHost({
    agent: `init(); text('a\\u0000b \\ud83d'); console.error('c\\u0000d'); result();`,
  });
  const attempt = await host.run();
  expect(attempt.events().find((event) => event.kind === 'text')).toMatchObject({
    text: 'a\uFFFDb \uFFFD',
  });
  expect(JSON.stringify(attempt.results)).not.toContain('\\u0000');
  expect(attempt.results[0]?.stderrTail).toBe('c\uFFFDd\n');
});
