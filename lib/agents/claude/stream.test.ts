import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HarnessEvent, harnessEventSchema } from '@/lib/protocol/events';
import { fixtureEvents, fixtureText } from './fixtures/fixture';
import { createClaudeParser } from './stream';

function parse(...lines: unknown[]): HarnessEvent[] {
  const parser = createClaudeParser();
  return lines.flatMap((line) =>
    parser.push(typeof line === 'string' ? line : JSON.stringify(line)),
  );
}

function kinds(events: HarnessEvent[]): string[] {
  return events.map((event) => event.kind);
}

function pick<K extends HarnessEvent['kind']>(events: HarnessEvent[], kind: K) {
  return events.filter((event): event is Extract<HarnessEvent, { kind: K }> => event.kind === kind);
}

const call = (id: string, name: string) => ({
  type: 'assistant',
  message: { id: 'msg_1', model: 'm', content: [{ type: 'tool_use', id, name, input: {} }] },
});
const answer = (id: string, content: unknown, more: object = {}, structured?: unknown) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  tool_use_result: structured,
});

describe('an answer that is being written', () => {
  const streamed = (event: object, parent: string | null = null) =>
    JSON.stringify({ type: 'stream_event', event, parent_tool_use_id: parent });
  const delta = (text: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  });
  const begin = (id: string) => ({ type: 'message_start', message: { id, model: 'm', usage: {} } });
  const told = (lines: string[], reportsParts = true) => {
    const parser = createClaudeParser({ reportsParts });
    return pick(
      lines.flatMap((line) => parser.push(line)),
      'answer_part',
    );
  };

  it('[CNV-1.1] is told piece by piece, as its message', () => {
    const lines = [begin('m1'), delta('One '), delta('"two"\n'), begin('m2'), delta('x')];
    expect(told(lines.map((event) => streamed(event)))).toEqual([
      { kind: 'answer_part', messageId: 'm1', text: 'One ' },
      { kind: 'answer_part', messageId: 'm1', text: '"two"\n' },
      { kind: 'answer_part', messageId: 'm2', text: 'x' },
    ]);
  });

  it('has no thoughts, no input of tools and no words of a sub-agent in it', () => {
    const other = (fields: object) => ({ type: 'content_block_delta', index: 0, delta: fields });
    expect(
      told([
        streamed(delta('before any message')),
        streamed(begin('m1')),
        streamed(other({ type: 'thinking_delta', thinking: '"type":"text_delta"' })),
        streamed(other({ type: 'input_json_delta', partial_json: '{"a":1}' })),
        streamed(begin('m2'), 'toolu_1'),
        streamed(delta('of a sub-agent'), 'toolu_1'),
      ]),
    ).toEqual([]);
  });

  it('stands whole behind its pieces in what the CLI prints, and changes nothing else', () => {
    const lines = fixtureText('stream_partial.jsonl').split('\n');
    const parser = createClaudeParser({ reportsParts: true });
    const events = lines.flatMap((line) => parser.push(line));
    const [text] = pick(events, 'text');
    expect(pick(events, 'answer_part').map((part) => part.text)).toEqual([text?.text]);
    expect(events.filter(({ kind }) => kind !== 'answer_part')).toEqual(
      fixtureEvents('stream_partial.jsonl'),
    );
  });

  it('is told to nobody who does not ask for it', () => {
    expect(told([streamed(begin('m1')), streamed(delta('x'))], false)).toEqual([]);
  });
});

describe('the captured streams', () => {
  const captures = readdirSync(path.join(import.meta.dirname, 'fixtures')).filter((name) =>
    /\.jsonl?$/.test(name),
  );

  it.each(captures)('%s becomes events that the protocol accepts, nothing unread', (name) => {
    const events = fixtureEvents(name);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(harnessEventSchema.parse(event)).toEqual(event);
    expect(pick(events, 'unparsed')).toEqual([]);
  });

  it('[RES-1.1] init confirms the conversation id, version, tools and servers', () => {
    const [init] = pick(fixtureEvents('stream_mcp.jsonl'), 'init');
    expect(init).toMatchObject({
      cliSessionId: 'c22574a0-be24-4270-8d61-f1c4246af247',
      cliVersion: '2.1.197',
      permissionMode: 'default',
      cwd: '/srv/work',
      mcpServers: [
        { name: 'dig', status: 'connected' },
        { name: 'digh', status: 'connected' },
        { name: 'dead', status: 'failed' },
      ],
    });
    expect(init?.tools).toContain('mcp__dig__session_digest');
  });

  it('reports a request when it starts and again when it ends, and each text once', () => {
    const events = fixtureEvents('stream_partial.jsonl');
    expect(kinds(events)).toEqual(['init', 'request_usage', 'text', 'request_usage', 'result']);
    const counts = pick(events, 'request_usage').map((e) => [
      e.final,
      e.inputTokens,
      e.outputTokens,
    ]);
    expect(counts).toEqual([
      [false, 1000, 1],
      [true, 1000, 100],
    ]);
  });

  it('meters a sub-agent and a stream without partial messages by the assistant lines', () => {
    const [request] = pick(fixtureEvents('stream_tools.jsonl'), 'request_usage');
    expect(request).toMatchObject({ final: false, cacheReadTokens: 10_000, parentToolUseId: null });
    const [sub] = parse({
      type: 'assistant',
      parent_tool_use_id: 'toolu_parent',
      message: { id: 'msg_sub', model: 'm', content: [], usage: { input_tokens: 5 } },
    });
    expect(sub).toMatchObject({ kind: 'request_usage', parentToolUseId: 'toolu_parent' });
  });

  it('keeps both results of a run with a background task', () => {
    const results = pick(fixtureEvents('stream_background_two_results.jsonl'), 'result');
    expect(results.map((result) => result.text)).toEqual(['END', 'AFTER BG']);
  });

  it('tells retries, fallback, compaction and rate limit', () => {
    expect(pick(fixtureEvents('stream_retry_529.jsonl'), 'api_retry')).toMatchObject([
      { attempt: 1, maxRetries: 1, status: 529, error: 'overloaded' },
    ]);
    expect(pick(fixtureEvents('stream_fallback_model.jsonl'), 'model_fallback')).toMatchObject([
      { from: 'claude-opus-4-8', to: 'claude-sonnet-5', trigger: 'overloaded' },
    ]);
    expect(pick(fixtureEvents('stream_compact_reactive.jsonl'), 'compaction')).toMatchObject([
      { phase: 'started' },
      { phase: 'finished', trigger: 'auto', preTokens: 13_192, postTokens: 742 },
    ]);
    expect(pick(fixtureEvents('stream_rate_limit_rejected.jsonl'), 'rate_limit')).toMatchObject([
      { status: 'rejected', resetsAt: 1_795_297_999 },
    ]);
  });

  it("does not pass the CLI's own words off as the agent's", () => {
    const events = fixtureEvents('stream_rate_limit_rejected.jsonl');
    expect(pick(events, 'text')).toEqual([]);
    expect(pick(events, 'request_usage')).toEqual([]);
    expect(pick(events, 'system')).toMatchObject([{ subtype: 'cli_message' }]);
  });

  it('knows a call that was refused from one that failed', () => {
    const denied = pick(fixtureEvents('stream_permission_denied.jsonl'), 'tool_result');
    expect(denied.map((result) => [result.denied, result.exitCode])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ]);
    const ran = pick(fixtureEvents('stream_tools.jsonl'), 'tool_result');
    expect(ran.map((result) => [result.denied, result.exitCode, result.stdout])).toEqual([
      [false, 0, 'hi'],
      [false, null, null],
    ]);
  });
});

describe('tool results', () => {
  it.each([
    ['Permission to use Bash with command docker restart web has been denied.', true],
    ['This command requires approval', true],
    ["cd in '/tmp' was blocked. For security, Claude Code may only change directories", true],
    ["Output redirection to '/srv/out' was blocked. For security", true],
    ['Contains command_substitution', true],
    [
      "Claude requested permissions to read from /etc/hostname, but you haven't granted it yet.",
      true,
    ],
    ['<tool_use_error>Error: No such tool available: Grep. Grep is not available', true],
    ['<tool_use_error>File is in a directory that is denied by your permission settings.', true],
    ['<tool_use_error>File has not been read yet. Read it first', false],
    ['Exit code 1\nPermission to use Bash has been denied.', false],
    ['Exit code 128\nfatal: not a git repository', false],
  ])('%j is refused: %s', (content, denied) => {
    const results = pick(
      parse(call('t', 'Bash'), answer('t', content, { is_error: true })),
      'tool_result',
    );
    expect(results).toMatchObject([{ isError: true, denied }]);
  });

  it('a refusal text in the output of a call that worked is only output', () => {
    const events = parse(call('t', 'Bash'), answer('t', 'This command requires approval'));
    expect(pick(events, 'tool_result')).toMatchObject([{ denied: false }]);
  });

  it('reads the exit code of a shell command, and of nothing else', () => {
    const failed = answer('t', 'Exit code 127\nnot found', { is_error: true });
    expect(pick(parse(call('t', 'Bash'), failed), 'tool_result')).toMatchObject([
      { exitCode: 127 },
    ]);
    expect(pick(parse(call('t', 'Read'), failed), 'tool_result')).toMatchObject([
      { exitCode: null },
    ]);
    const background = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1' };
    const started = answer('t', 'running', {}, background);
    expect(pick(parse(call('t', 'Bash'), started), 'tool_result')).toMatchObject([
      { exitCode: null },
    ]);
  });

  it('joins the texts of structured content', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }];
    expect(pick(parse(answer('t', content)), 'tool_result')).toMatchObject([
      { content: 'a\n[image]\nb' },
    ]);
  });
});

describe('sizes', () => {
  it('keeps 64 kB of a result, whole characters, and counts what it left out', () => {
    const long = 'ä'.repeat(50_000);
    const shell = { stdout: long, stderr: 'x', interrupted: false };
    const [result] = pick(parse(call('t', 'Bash'), answer('t', long, {}, shell)), 'tool_result');
    expect(result?.content).toBe('ä'.repeat(32_000));
    expect(result?.cutBytes).toBe(36_000 + 1 + 100_000);
  });

  it('shortens long texts, inputs and reports', () => {
    const long = 'x'.repeat(200_000);
    const events = parse(
      {
        type: 'assistant',
        message: { id: 'm', model: 'm', content: [{ type: 'text', text: long }] },
      },
      {
        type: 'assistant',
        message: {
          id: 'm',
          model: 'm',
          content: [
            { type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/a', content: long } },
          ],
        },
      },
    );
    expect(pick(events, 'text')[0]?.text).toMatch(/\[136000 bytes left out\]$/);
    const [written] = pick(events, 'tool_call');
    expect(written?.input.file_path).toBe('/a');
    expect(JSON.stringify(written?.input).length).toBeLessThan(65_000);
    const report = { summary: 'x'.repeat(600_000) };
    const [result] = pick(parse({ type: 'result', structured_output: report }), 'result');
    expect(result?.structuredOutput).toBeNull();
  });

  it('a line that was cut still says which call it answers', () => {
    const line = JSON.stringify(answer('toolu_9', 'x'.repeat(100_000))).slice(0, 70_000);
    const [event] = createClaudeParser().push(line, 5_000);
    expect(event).toMatchObject({ kind: 'tool_result', toolUseId: 'toolu_9', cutBytes: 11_000 });
  });

  it('another line that was cut is kept as its beginning', () => {
    const [event] = createClaudeParser().push(`{"type":"result","x":"${'y'.repeat(9_000)}`, 7);
    expect(event).toMatchObject({ kind: 'unparsed', reason: 'too_long', bytes: 9_022 + 7 });
  });
});

describe('lines we do not know', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['not json', [{ kind: 'unparsed', reason: 'not_json', text: 'not json', bytes: 8 }]],
    ['[1]', [{ kind: 'unparsed', reason: 'not_json' }]],
    ['{"type":"result', [{ kind: 'unparsed', reason: 'not_json' }]],
    ['{"type":"novelty","a":1}', [{ kind: 'unparsed', reason: 'unknown_type' }]],
    ['{"a":1}', [{ kind: 'unparsed', reason: 'unknown_type' }]],
    ['{"type":"assistant"}', [{ kind: 'unparsed', reason: 'unknown_type' }]],
    ['{"type":"system","subtype":"novelty","a":1}', [{ kind: 'system', detail: { a: 1 } }]],
  ])('%j', (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
  });

  it('one field of a wrong type does not lose the result, and is never a success', () => {
    const [result] = pick(
      parse({
        type: 'result',
        subtype: 3,
        num_turns: 'two',
        modelUsage: { m: { inputTokens: 7 } },
      }),
      'result',
    );
    expect(result).toMatchObject({ isError: true, numTurns: null, subtype: 'unknown' });
    expect(result?.modelUsage.m).toMatchObject({ inputTokens: 7, outputTokens: 0, costUsd: null });
  });

  it('a text that names an event type inside a piece of text is not taken for the event', () => {
    const delta = { type: 'text_delta', text: '{"type":"message_start"}' };
    const line = { type: 'stream_event', event: { type: 'content_block_delta', delta } };
    expect(parse(line)).toEqual([]);
  });

  it('reads a result that came as text in the middle of others', () => {
    const lines = fixtureText('stream_tools.jsonl').split('\n');
    const events = parse('garbage', ...lines, 'garbage');
    expect(kinds(events).at(-1)).toBe('unparsed');
    expect(pick(events, 'result')).toHaveLength(1);
  });
});
