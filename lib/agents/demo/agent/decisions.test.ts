import { describe, expect, it } from 'vitest';
import { parseHandoff } from '@/lib/engine/continuation/handoff/parse';
import { parseReport } from '@/lib/protocol/report';
import type { Block } from './conversation.mjs';
import { parseFlags } from './flags.mjs';
import { parseChecks } from './memory.mjs';
import { decidePermission } from './permissions.mjs';
import { recall } from './recollection.mjs';
import { buildReport, handoffContent } from './report.mjs';
import { Meter } from './usage.mjs';

describe('decidePermission', () => {
  const rules = (
    allowed: string[],
    denied: string[] = [],
    tools: string[] | null = ['Bash', 'Write'],
  ) => ({
    allowed,
    denied,
    tools,
    permissionMode: 'dontAsk',
  });
  const bash = (command: string) => ({ command });

  it.each([
    ['a prefix', 'democtl restart web', ['Bash(democtl restart:*)'], 'allowed'],
    ['the prefix alone', 'democtl restart', ['Bash(democtl restart:*)'], 'allowed'],
    ['a longer word', 'democtl restarted web', ['Bash(democtl restart:*)'], 'denied'],
    ['another command', 'democtl repair-config web', ['Bash(democtl restart:*)'], 'denied'],
    ['an exact rule', 'democtl restart web', ['Bash(democtl restart web)'], 'allowed'],
    ['more than an exact rule', 'democtl restart web -f', ['Bash(democtl restart web)'], 'denied'],
    ['a bare tool', 'anything at all', ['Bash'], 'allowed'],
    ['two commands', 'democtl restart web; rm x', ['Bash(democtl restart:*)'], 'denied'],
    ['a substitution', 'democtl restart $(rm x)', ['Bash(democtl restart:*)'], 'denied'],
    ['no rule', 'democtl restart web', [], 'denied'],
  ])('%s', (_, command, allowed, kind) => {
    expect(decidePermission('Bash', bash(command), rules(allowed)).kind).toBe(kind);
  });

  it('deny beats allow, and a tool that is not offered is missing', () => {
    const both = rules(['Bash'], ['Bash(democtl restart:*)']);
    expect(decidePermission('Bash', bash('democtl restart web'), both).kind).toBe('denied');
    expect(decidePermission('Bash', bash('ls'), rules(['Bash'], [], ['Read'])).kind).toBe(
      'missing',
    );
  });

  it('MCP tools need a rule of their own', () => {
    const check = 'mcp__tierwatch__check';
    expect(decidePermission(check, {}, rules([check])).kind).toBe('allowed');
    expect(decidePermission(check, {}, rules(['mcp__tierwatch'])).kind).toBe('allowed');
    expect(decidePermission(check, {}, rules(['mcp__tierwatch__*'])).kind).toBe('allowed');
    expect(decidePermission(check, {}, rules(['mcp__other'])).kind).toBe('denied');
  });

  it('a file is written by a rule for Edit of exactly that file', () => {
    const write = (path: string) =>
      decidePermission('Write', { file_path: path }, rules(['Edit(//srv/state/handoff.json)']))
        .kind;
    expect(write('/srv/state/handoff.json')).toBe('allowed');
    expect(write('/srv/state/other.json')).toBe('denied');
  });
});

it('reads the flags that a runner passes, and an empty list of tools is none', () => {
  expect(parseFlags(['-p', '--tools', '', '--max-turns', '3', '--fork-session'])).toMatchObject({
    ...{ tools: [], maxTurns: 3, forkSession: true, resume: null },
  });
  expect(parseFlags(['--tools', 'Bash,Read']).tools).toEqual(['Bash', 'Read']);
});

const answer =
  'web: down\n  http http://x/health: down. Connection refused.\n  tcp x:1: healthy (3 ms)\ndb: healthy';

it('reads answers of the check tool', () => {
  expect([...parseChecks(answer)]).toEqual([
    [
      'web',
      {
        status: 'down',
        lines: ['http http://x/health: down. Connection refused.', 'tcp x:1: healthy (3 ms)'],
      },
    ],
    ['db', { status: 'healthy', lines: [] }],
  ]);
});

describe('recall', () => {
  it('knows nothing at a fresh start', () => {
    expect(recall([], 'Be careful.')).toMatchObject({ source: null, affected: [] });
  });

  it('takes tool results of the conversation, and leaves out a call without one', () => {
    const said = (role: 'user' | 'assistant', content: string | Block[]) => ({
      ...{ message: { role, content }, at: null, model: null, usage: null },
    });
    const known = recall(
      [
        said('user', 'Go.'),
        said('assistant', [
          { type: 'tool_use', id: 'a', name: 'mcp__tierwatch__check', input: {} },
        ]),
        said('user', [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: answer }] },
        ]),
        said('assistant', [{ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'x' } }]),
      ],
      '',
    );
    expect(known).toMatchObject({ source: 'conversation', affected: ['web'], actions: [] });
  });
});

it('reports and hands over in the shapes that the product takes, whatever happened', () => {
  const known = recall([], '');
  const works = [
    { services: new Map(), actions: [], refused: [], notes: [] },
    { services: parseChecks(answer), actions: [], refused: ['democtl restart web'], notes: ['n'] },
  ];
  for (const tier of [1, 2, 3] as const) {
    for (const done of works) {
      const report = buildReport(tier, known, done);
      expect(parseReport(report)).toMatchObject({ ok: true });
      if (!report.escalation.wanted || tier === 3) continue;
      const content = handoffContent(tier, known, done, report);
      expect(parseHandoff(JSON.stringify(content), tier)).toMatchObject({ ok: true });
    }
  }
});

it('prices by the table of the model family', () => {
  const meter = new Meter('opus', []);
  meter.begin([], '');
  meter.end('x'.repeat(4_000_000));
  // A million tokens out at 25 dollars, and 3,199 written to the cache at 6.25 a million.
  expect(meter.costUsd).toBeCloseTo(25.02, 2);
  expect(new Meter('unknown', []).name).toBe('demo-haiku');
});
