import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import { createTracker } from './tracker';

const about = { project: 'Checkout', tier: 1 };

function call(
  toolUseId: string,
  tool = 'Bash',
  input: Record<string, unknown> = { command: toolUseId },
): RunnerEvent {
  const messageId = `m-${toolUseId}`;
  return { kind: 'tool_call', messageId, toolUseId, tool, input, parentToolUseId: null };
}

function result(
  toolUseId: string,
  { isError = false, denied = false }: { isError?: boolean; denied?: boolean } = {},
): RunnerEvent {
  const output = { content: '', stdout: null, stderr: null, exitCode: null, cutBytes: 0 };
  return { kind: 'tool_result', toolUseId, isError, denied, ...output };
}

function text(words: string): RunnerEvent {
  return { kind: 'text', messageId: 'm', text: words, parentToolUseId: null };
}

describe('what is counted', () => {
  it('[CKP-2.1] prompts and tool results bring the next checkpoint nearer; calls and words do not', () => {
    const tracker = createTracker(about);
    tracker.prompt();
    tracker.observe(text('Looking.'));
    tracker.observe(call('a'));
    expect(tracker.pending).toBe(1);
    tracker.observe(result('a'));
    expect(tracker.pending).toBe(2);
  });

  it('[CKP-2.2] counts continue over checkpoints, and the due time restarts', () => {
    const tracker = createTracker(about);
    tracker.prompt();
    tracker.observe(call('a'));
    tracker.observe(result('a'));
    tracker.consume();
    expect([tracker.pending, tracker.hasNews]).toEqual([0, false]);
    tracker.observe(call('b'));
    expect(tracker.snapshot(1_500).counts).toEqual({
      prompts: 1,
      toolCalls: 2,
      toolResults: 1,
      elapsedMs: 1_500,
    });
  });

  it('a checkpoint is no news to itself', () => {
    const tracker = createTracker(about);
    tracker.observe({
      kind: 'checkpoint',
      trigger: 'periodic',
      digest: '',
      counts: { prompts: 0, toolCalls: 0, toolResults: 0, elapsedMs: 0 },
      queries: [],
      remembered: [],
      projectPath: '/srv',
      projectPathNormalized: '/srv',
      hookSessionId: null,
    });
    expect(tracker.hasNews).toBe(false);
  });
});

describe('what a digest tells', () => {
  it.each([
    ['Grep', { pattern: ' refused ' }, ['refused']],
    ['Glob', { pattern: '**/*.log' }, ['**/*.log']],
    ['WebSearch', { query: 'postgres 53300' }, ['postgres 53300']],
    ['ToolSearch', { query: 'select:recall' }, ['select:recall']],
    ['Grep', { pattern: '  ' }, []],
    ['Grep', { pattern: 7 }, []],
    ['Bash', { command: 'grep refused log' }, []],
  ])('[CKP-1.3] %s with %j searches for %j', (tool, input, queries) => {
    const tracker = createTracker(about);
    tracker.observe(call('a', tool, input));
    expect(tracker.snapshot(0).queries).toEqual(queries);
  });

  it('[CKP-2.3] keeps the newest 20 searches and 10 remembered items', () => {
    const tracker = createTracker(about);
    for (let n = 1; n <= 25; n += 1) {
      tracker.observe(call(`${n}`, 'Grep', { pattern: `query ${n}` }));
      tracker.remember(`item ${n}`);
    }
    const { queries, remembered } = tracker.snapshot(0);
    expect([queries.length, queries[0], queries.at(-1)]).toEqual([20, 'query 6', 'query 25']);
    expect([remembered.length, remembered[0], remembered.at(-1)]).toEqual([
      10,
      'item 16',
      'item 25',
    ]);
  });

  it('[CKP-2.4] what is to be remembered is told once, and whole up to its limit', () => {
    const tracker = createTracker(about);
    tracker.remember(`  ${'x'.repeat(3_000)}  `);
    tracker.remember('   ');
    expect(tracker.snapshot(0).remembered).toEqual([`${'x'.repeat(1_999)}…`]);
    tracker.consume();
    expect(tracker.snapshot(0).remembered).toEqual([]);
  });

  it('[CKP-1.3] says how each call ended, and keeps one that runs for the next digest', () => {
    const tracker = createTracker(about);
    for (const id of ['ok', 'no', 'bad', 'open']) tracker.observe(call(id));
    tracker.observe(result('ok'));
    tracker.observe(result('no', { isError: true, denied: true }));
    tracker.observe(result('bad', { isError: true }));
    expect(tracker.snapshot(0).calls).toEqual([
      { text: 'Bash: ok', outcome: 'ok' },
      { text: 'Bash: no', outcome: 'denied' },
      { text: 'Bash: bad', outcome: 'failed' },
      { text: 'Bash: open', outcome: 'open' },
    ]);
    tracker.consume();
    expect(tracker.snapshot(0).calls).toEqual([{ text: 'Bash: open', outcome: 'open' }]);
  });

  it('drops calls that ended before those that still run', () => {
    const tracker = createTracker(about);
    tracker.observe(call('open'));
    for (let n = 0; n < 15; n += 1) {
      tracker.observe(call(`${n}`));
      tracker.observe(result(`${n}`));
    }
    const texts = tracker.snapshot(0).calls.map((each) => each.text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([10, 'Bash: open', 'Bash: 14']);
  });

  it('[CKP-2.2] a snapshot does not change with what comes after it', () => {
    const tracker = createTracker(about);
    tracker.observe(call('a'));
    const before = tracker.snapshot(0);
    tracker.observe(result('a'));
    tracker.observe(call('b', 'Grep', { pattern: 'later' }));
    tracker.consume();
    expect(before.calls).toEqual([{ text: 'Bash: a', outcome: 'open' }]);
    expect(before.queries).toEqual([]);
  });

  it("keeps the agent's last words and its own digest", () => {
    const tracker = createTracker(about);
    tracker.observe(text(' It is the database. '));
    tracker.observe(text('   '));
    tracker.setAgentDigest('Restarted web.');
    tracker.consume();
    expect(tracker.snapshot(0)).toMatchObject({
      lastText: 'It is the database.',
      agentDigest: 'Restarted web.',
    });
  });
});
