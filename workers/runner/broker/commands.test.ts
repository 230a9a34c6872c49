import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandRule, parseCommandRule } from '@/lib/commands/rule';
import type { AuthorizeCommandResponse } from '@/lib/protocol/commands';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { INSIDE } from '../sandbox/inside';
import { type CommandOptions, createCommands } from './commands';

const RESTART = ['systemctl', 'restart', 'web'];
/** Of an agent that waits for its command. */
const STAYS = new AbortController().signal;
const ALLOWED: AuthorizeCommandResponse = { verdict: 'allowed' };

let dir: string;
let events: BrokeredEvent[];

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'commands-'));
  events = [];
  await symlink(process.execPath, path.join(dir, 'systemctl'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function rule(text: string): CommandRule {
  const parsed = parseCommandRule(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.rule;
}

function commandsWith(changed: Partial<CommandOptions>) {
  return createCommands({
    rules: { allowed: [rule('Bash(systemctl restart {service})')], denied: [], askFirst: [] },
    known: {
      targets: { container: ['web'], service: ['web'], process: [] },
      host: [],
      url: [],
    },
    refused: [],
    workDir: dir,
    dir,
    env: { PATH: dir },
    redactor: { text: (text: string) => text, hasOpenEnd: () => false },
    isLeaseValid: () => true,
    secretsOf: () => ({ env: {}, missing: [] }),
    digestKey: Buffer.alloc(32),
    authorize: async () => ALLOWED,
    reason: () => '',
    isAgentIdle: () => true,
    onUnheld() {},
    add: (event) => events.push(event),
    sync: async () => {},
    cgroupOf: () => null,
    onManyRefused() {},
    ...changed,
  });
}

describe('[BND-4.1] a command that needs approval', () => {
  const ASKING = 'Bash(systemctl restart web)';
  const rules = {
    allowed: [rule('Bash(systemctl restart {word})')],
    denied: [],
    askFirst: [rule(ASKING)],
  };

  it.each<[string, string | null]>([
    ['web', ASKING],
    ['web.service', ASKING],
    ['db.service', null],
  ])('is requested for the unit %s by the rule %s', async (unit, asking) => {
    const requests: unknown[] = [];
    const commands = commandsWith({
      rules,
      authorize: async ({ argv, approval }) => {
        requests.push([argv.at(-1), approval?.rule ?? null]);
        return { verdict: 'refused', code: 'cooldown', message: 'Not now.' };
      },
    });
    const { exitCode } = await commands.start(
      INSIDE.workDir,
      ['systemctl', 'restart', unit],
      STAYS,
    );
    await exitCode;
    expect(requests).toEqual([[unit, asking]]);
  });

  it('[HLD-3.4] is requested, too, where no rule asks and the control plane does', async () => {
    const rules: unknown[] = [];
    const commands = commandsWith({
      authorize: async ({ approval }) => {
        rules.push(approval?.rule ?? null);
        if (!approval) return { verdict: 'needs_approval' };
        return { verdict: 'refused', code: 'approval_refused', message: 'Refused by ana.' };
      },
    });
    const { exitCode } = await commands.start(INSIDE.workDir, RESTART, STAYS);
    await exitCode;
    expect(rules).toEqual([null, 'Bash(systemctl restart {service})']);
    expect(events).toMatchObject([{ phase: 'refused', refusal: { code: 'approval_refused' } }]);
  });
});

describe('a command that only reads', () => {
  const STATUS = ['systemctl', 'status', 'web'];
  const REFUSED: AuthorizeCommandResponse = {
    ...{ verdict: 'refused', code: 'approval_refused' },
    message: 'Ana refused it.',
  };

  async function exitCodeOf(changed: Partial<CommandOptions>): Promise<[number, string[][]]> {
    const asked: string[][] = [];
    const commands = commandsWith({
      authorize: async ({ argv }) => {
        asked.push([...argv]);
        return REFUSED;
      },
      ...changed,
    });
    const { run, exitCode } = await commands.start(INSIDE.workDir, STATUS, STAYS);
    run.stdout.resume();
    run.stderr.resume();
    return [await exitCode, asked];
  }

  const allowed = [rule('Bash(systemctl status {word})')];

  it('[BND-4.1] doesn’t run unasked where a rule asks first', async () => {
    const rules = { allowed, denied: [], askFirst: [rule('Bash(systemctl status web)')] };
    expect(await exitCodeOf({ rules })).toEqual([126, [STATUS]]);
    expect(events).toMatchObject([{ phase: 'refused', refusal: { code: 'approval_refused' } }]);
  });

  it.each([
    ['systemctl', 'status', 'web'],
    ['systemctl', 'status', 'web.service', '--full'],
  ])(
    '[HLD-4.3] doesn’t run unasked where a person may have refused it: %s %s %s',
    async (...argv) => {
      const rules = { allowed, denied: [], askFirst: [] };
      expect(await exitCodeOf({ rules, refused: [argv] })).toEqual([126, [STATUS]]);
    },
  );
});

it('[BND-2.1] a program for text stays in the sandbox, even if a rule names it', async () => {
  const rules = { allowed: [rule('Bash(cat {path under /})')], denied: [], askFirst: [] };
  await symlink(process.execPath, path.join(dir, 'cat'));
  const commands = commandsWith({ rules });
  const { exitCode } = await commands.start(INSIDE.workDir, ['cat', '/etc/hostname'], STAYS);
  expect(await exitCode).toBe(126);
  expect(events).toMatchObject([{ phase: 'refused', refusal: { code: 'not_brokered' } }]);
});

describe('a command that a fault holds back', () => {
  it('after its start was recorded is always recorded as refused', async () => {
    let isLeaseValid = true;
    const commands = commandsWith({
      isLeaseValid: () => isLeaseValid,
      sync: async () => {
        isLeaseValid = false;
      },
    });
    for (let count = 0; count < 400; count += 1) {
      await commands.start(INSIDE.workDir, ['reboot'], STAYS);
    }
    const { exitCode } = await commands.start(INSIDE.workDir, RESTART, STAYS);
    expect(await exitCode).toBe(126);
    expect(events.length).toBeLessThan(400);
    expect(events.filter(({ number }) => number === 401)).toMatchObject([
      { phase: 'started' },
      { phase: 'refused', refusal: { code: 'lease_lost' } },
    ]);
  });

  it('until the attempt has ended is not recorded as started', async () => {
    let answer = (_: AuthorizeCommandResponse) => {};
    const answered = new Promise<AuthorizeCommandResponse>((resolve) => {
      answer = resolve;
    });
    const commands = commandsWith({ authorize: () => answered });
    const started = commands.start(INSIDE.workDir, RESTART, STAYS);
    const closed = commands.close();
    answer(ALLOWED);
    await closed;
    expect(await (await started).exitCode).toBe(126);
    expect(events).toMatchObject([{ phase: 'refused', refusal: { code: 'ended' } }]);
  });
});
