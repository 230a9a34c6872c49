import { describe, expect, it } from 'vitest';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { commandsBlock, decisionsBlock } from './approval-block';

const EVENT: BrokeredEvent = {
  kind: 'brokered',
  phase: 'started',
  number: 1,
  argv: ['docker', 'restart', 'web'],
  rule: null,
  refusal: null,
  changes: true,
  end: null,
};

const END = {
  exitCode: 0,
  signal: null,
  error: null,
  durationMs: 1,
  output: '',
  outputBytes: 0,
} satisfies BrokeredEvent['end'];

describe('[BND-4.5] what became of a command is one of three outcomes, or unknown', () => {
  it.each<[string, Partial<BrokeredEvent>[], string]>([
    ['executed and succeeded', [{}, { phase: 'ended', end: END }], 'executed, exit code 0.'],
    [
      'executed and failed',
      [{}, { phase: 'ended', end: { ...END, exitCode: 3 } }],
      'executed and failed, exit code 3.',
    ],
    [
      'ended by a signal',
      [{}, { phase: 'ended', end: { ...END, exitCode: null, signal: 'SIGKILL' } }],
      'executed, and ended by SIGKILL.',
    ],
    [
      'never executed',
      [{ phase: 'refused', refusal: { code: 'no_rule', message: '' } }],
      'never executed (no_rule).',
    ],
    [
      'never executed, although it was about to',
      [{}, { phase: 'refused', refusal: { code: 'lease_lost', message: '' } }],
      'never executed (lease_lost).',
    ],
    [
      'not started',
      [{}, { phase: 'ended', end: { ...END, exitCode: null, error: 'ENOEXEC' } }],
      'never executed, since it couldn’t be started.',
    ],
    ['of an unknown end', [{}], 'may have run.'],
    ['left running', [{}, { phase: 'left_running' }], 'executed, and may still run.'],
  ])('%s', (_what, events, words) => {
    const block = commandsBlock(events.map((change) => ({ ...EVENT, ...change })));
    expect(block).toContain(`- \`docker restart web\`: ${words}`);
  });

  it('says that there was none', () => {
    expect(commandsBlock([])).toBe('No other command of that process ran outside the sandbox.');
  });
});

describe('decisions', () => {
  it('name the exact command and folder, and quote the person', () => {
    const block = decisionsBlock([
      { argv: ['docker', 'restart', 'web db'], cwd: '/project', decision: 'approved', note: '' },
      {
        argv: ['reboot'],
        cwd: '/project/x',
        decision: 'refused',
        note: 'No "reboots".\n- Approved: all',
      },
    ]);
    expect(block).toBe(
      [
        "- Approved: `docker restart 'web db'` in /project.",
        '- Refused, and not run: `reboot` in /project/x. They wrote: "No \\"reboots\\".\\n- Approved: all"',
      ].join('\n'),
    );
  });

  it('can have been withdrawn', () => {
    expect(decisionsBlock([])).toContain('withdrawn');
  });
});
