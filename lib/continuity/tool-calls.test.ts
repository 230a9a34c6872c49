import { describe, expect, it } from 'vitest';
import { isReadOnlyCommand } from './read-only-command';
import {
  earlierAttemptOf,
  eventLogOf,
  mayHaveActed,
  mayHaveChanged,
  type ToolCallFact,
} from './tool-calls';

describe('isReadOnlyCommand', () => {
  it.each([
    'ls -la',
    'cat a.txt | grep -i error | wc -l',
    'docker ps -a',
    'docker logs --tail 200 web && docker inspect web',
    'docker images; df -h & free -m',
    'find . -name "*.log" -mtime -1',
    "sed -n '1,20p' a.txt",
    'git log -1',
    'git diff HEAD~1 -- a.txt',
    'date +%s',
    'ip addr show',
    'ip route get 10.0.0.1',
    'ss -ltn',
    "echo 'a > b; rm -rf /'",
    'echo "quoted && not run"',
    'ps aux | xargs echo',
    'hostname',
    'uptime # docker restart web',
    'ls \\\n -la',
  ])('%s only reads', (command) => {
    expect(isReadOnlyCommand(command)).toBe(true);
  });

  it.each([
    '',
    'docker restart web',
    'docker exec web ls',
    'docker stats --no-stream',
    'docker --context default restart web',
    '/usr/bin/docker ps',
    'ls; docker restart web',
    'ls && rm a',
    'ls || rm a',
    'ls | sh',
    'ls & rm a',
    'ls\nrm a',
    'cat a > b',
    'cat a >> b',
    'cat < a',
    'ls 2>/dev/null',
    'echo $(docker restart web)',
    'echo "$(rm a)"',
    'echo `rm a`',
    'cat <(rm a)',
    'FOO=1 ls',
    'env ls',
    'sudo ls',
    'sed -i s/x/y/ a.txt',
    "sed -n 'w out' a.txt",
    "sed -n '1p' -i a.txt",
    'sed s/x/y/w a.txt',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprintf out x',
    'sort -o a a',
    'sort --output=a a',
    'date -s 12:00',
    'date 11221400',
    'hostname web-2',
    'ip link set eth0 down',
    'ip -batch commands',
    'ss -K dst 10.0.0.1',
    'git fetch',
    'git log --output=a',
    'git -c core.pager=x log',
    'xargs rm',
    'curl http://x',
    'kill 1',
    'if true; then rm a; fi',
    '(docker restart web)',
    'constructor',
    'do""cker restart web',
  ])('%s counts as changing', (command) => {
    expect(isReadOnlyCommand(command)).toBe(false);
  });
});

const ran = { denied: false };

describe('mayHaveChanged', () => {
  it.each<[string, ToolCallFact, boolean]>([
    ['Read', { tool: 'Read', input: {}, result: ran }, false],
    ['Grep', { tool: 'Grep', input: {}, result: null }, false],
    ['Glob', { tool: 'Glob', input: {}, result: ran }, false],
    ['our check', { tool: 'mcp__tierwatch__check', input: { service: 'x' }, result: ran }, false],
    ['the report', { tool: 'StructuredOutput', input: {}, result: null }, false],
    ['a reading command', { tool: 'Bash', input: { command: 'ls' }, result: ran }, false],
    ['a changing command', { tool: 'Bash', input: { command: 'rm a' }, result: ran }, true],
    ['one that failed', { tool: 'Bash', input: { command: 'rm a' }, result: ran }, true],
    ['one without a result', { tool: 'Bash', input: { command: 'rm a' }, result: null }, true],
    [
      'one that was refused',
      { tool: 'Bash', input: { command: 'rm a' }, result: { denied: true } },
      false,
    ],
    ['a command that is no text', { tool: 'Bash', input: {}, result: ran }, true],
    ['Edit', { tool: 'Edit', input: {}, result: ran }, true],
    ['a tool we do not know', { tool: 'mcp__cloud__scale', input: {}, result: ran }, true],
    ['a sub-agent', { tool: 'Task', input: {}, result: ran }, true],
  ])('%s', (_title, call, expected) => {
    expect(mayHaveChanged([call])).toBe(expected);
  });

  it('counts what the resume decision compares', () => {
    expect(
      earlierAttemptOf([
        { tool: 'Read', input: {}, result: null },
        { tool: 'Bash', input: { command: 'docker restart web' }, result: ran },
        { tool: 'Edit', input: {}, result: null },
        { tool: 'mcp__cloud__scale', input: {}, result: ran },
      ]),
    ).toEqual({ outstandingCalls: 1, unknownCalls: 1, changingCalls: 1, isAcknowledged: false });
  });
});

describe('eventLogOf', () => {
  const exited = { startError: null, exit: { code: 1, signal: null }, lastSeq: 9 };
  const vanished = { startError: null, exit: null, lastSeq: 9 };
  const failed = (code: 'missing' | 'runner_restarted', lastSeq: number) => ({
    startError: { code, message: '' },
    exit: null,
    lastSeq,
  });

  it.each<[string, ...Parameters<typeof eventLogOf>, ReturnType<typeof eventLogOf>]>([
    ['a lease that expired', 'lost', null, 'incomplete'],
    ['an exit that the runner saw', 'crashed', exited, 'complete'],
    ['a runner that was shut down', 'lost', exited, 'incomplete'],
    ['a runner that was killed while the agent ran', 'lost', vanished, 'incomplete'],
    ['a runner that was killed after the last result', 'overloaded', vanished, 'incomplete'],
    ['a program that was not found', 'start_failed', failed('missing', 1), 'not_started'],
    ['a runner killed before the start', 'lost', failed('runner_restarted', 0), 'not_started'],
    [
      'a restarted runner that has lost its own events',
      'lost',
      failed('runner_restarted', 4),
      'incomplete',
    ],
  ])('[FLT-3.2] %s', (_title, end, reported, expected) => {
    expect(eventLogOf(end, reported)).toBe(expected);
  });

  it('[FLT-3.2] only a proven missing start outweighs unknown events', () => {
    const restart = { tool: 'Bash', input: { command: 'docker restart web' }, result: ran };
    expect(mayHaveActed({ eventLog: 'incomplete', toolCalls: [] })).toBe(true);
    expect(mayHaveActed({ eventLog: 'complete', toolCalls: [] })).toBe(false);
    expect(mayHaveActed({ eventLog: 'complete', toolCalls: [restart] })).toBe(true);
    expect(mayHaveActed({ eventLog: 'not_started', toolCalls: [restart] })).toBe(false);
  });
});
