/**
 * Commands of a confined agent. A program outside that writes down what it was run with is the only
 * judge of whether a command ran.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { allSpellings, PLAIN_SPELLINGS } from './spellings';
import {
  answersOf,
  brokeredOf,
  describeConfined,
  policy,
  runCommands,
  runManyCommands,
  runManyLines,
  withConfined,
} from './support';

const RULES = ['Bash(fakectl restart web)', 'Bash(fakectl logs [-n {int}] {word})'];

const FORBIDDEN = [
  ['fakectl', 'stop web'],
  ['fakectl', 'restart db'],
  ['fakectl', 'restart web --force'],
] as const;

const ALLOWED = [
  ['fakectl', 'restart web'],
  ['fakectl', 'logs -n 5 web'],
] as const;

describeConfined('brokered commands', (cli) => {
  it('[BND-2.2] [BND-2.1] 150 spellings of forbidden commands: none runs', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl');
      // The real program can be seen, read and started in the sandbox, where it can change nothing.
      const allowedRules = [`Read(/${host.bin}/**)`];
      const spellings = allSpellings(host.bin);
      const commands = FORBIDDEN.flatMap(([program, args]) =>
        spellings.map((spelling) => spelling(program, args)),
      );
      expect(commands.length).toBeGreaterThanOrEqual(150);
      const commandRules = policy(RULES);
      const { attempt } = await runManyLines(host, commands, {
        allowedRules,
        commands: commandRules,
      });
      expect(await host.ran()).toEqual([]);
      const kinds = brokeredOf(attempt).map(({ phase }) => phase);
      expect(new Set(kinds)).toEqual(new Set(['refused']));
      // Most of them reach the broker; the others start the program where it can do nothing.
      expect(kinds.length).toBeGreaterThan(120);
    }));

  it('[BND-2.2] [BND-2.1] an allowed command runs however it is written', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl', 'echo answered');
      const commands = ALLOWED.flatMap(([program, args]) =>
        PLAIN_SPELLINGS.map((spelling) => spelling(program, args)),
      );
      const { answers } = await runManyLines(host, commands, { commands: policy(RULES) });
      const silent = answers.flatMap((answer, at) =>
        answer.includes('answered') ? [] : [`${commands[at]}: ${answer}`],
      );
      expect(silent).toEqual([]);
      const expected = ALLOWED.flatMap(([program, args]) =>
        PLAIN_SPELLINGS.map(() => `${program} ${args}`),
      );
      expect(await host.ran()).toEqual(expected);
    }));

  it('[BND-2.1] one argument is not two, and other programs are none of the rules', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl');
      const attempt = await runCommands(
        host,
        [
          'fakectl restart "web db"',
          'fakectl "restart web"',
          'fakectl restart web ""',
          "fakectl restart $'web\\n'",
          '/agent/commands/../commands/fakectl stop web',
        ],
        { commands: policy(RULES) },
      );
      expect(await host.ran()).toEqual([]);
      expect(brokeredOf(attempt)).toHaveLength(5);
      for (const answer of answersOf(attempt)) expect(answer).toContain('tierwatch: not run: ');
    }));

  it('[BND-2.1] exit codes, both outputs, pipes and a reader that stops early are as in a shell', () =>
    withConfined(cli, async (host) => {
      await host.addProgram(
        'fakectl',
        'echo out; echo err >&2; case $1 in fail) exit 7;; die) kill -9 $$;; flood) yes;; esac',
      );
      const attempt = await runCommands(
        host,
        [
          'fakectl fail; echo code $?',
          'fakectl die; echo code $?',
          'fakectl ok 2>/dev/null',
          'fakectl ok >/dev/null',
          'set -o pipefail; fakectl flood | head -2 || echo stopped',
          'echo "$(fakectl ok 2>&1 | sort | tr "\\n" -)"',
        ],
        { commands: policy(['Bash(fakectl {word})']) },
      );
      // Which of two outputs comes first is chance, as with two pipes.
      const lines = answersOf(attempt).map((answer) => answer.split('\n').toSorted());
      expect(lines).toEqual([
        ['code 7', 'err', 'out'],
        ['code 137', 'err', 'out'],
        ['out'],
        ['err'],
        expect.arrayContaining(['out', 'y', 'stopped']),
        ['err-out-'],
      ]);
      // Also the one that would have printed for ever.
      const ends = brokeredOf(attempt).filter(({ phase }) => phase === 'ended');
      expect(ends).toHaveLength(6);
    }));

  it('four calls in one message: each is decided alone', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl', 'echo answered');
      const lines = ['restart web', 'stop web', 'logs web', 'restart db'];
      const commands = lines.map((line) => `fakectl ${line}`);
      const attempt = await runManyCommands(host, commands, { commands: policy(RULES) });
      expect((await host.ran()).toSorted()).toEqual(['fakectl logs web', 'fakectl restart web']);
      const [one, two, three, four] = answersOf(attempt);
      expect([one, three]).toEqual(['answered', 'answered']);
      for (const refused of [two, four]) expect(refused).toContain('tierwatch: not run: ');
    }));

  it('output is redacted before the agent reads it', () =>
    withConfined(cli, async (host) => {
      const secret = 'correct-horse-battery';
      await writeFile(path.join(host.outside, 'secret'), secret);
      await host.addProgram('fakectl', `cat ${host.outside}/secret; printf key-of-the-runner`);
      await runCommands(host, ['fakectl restart web'], { commands: policy(RULES) });
      const seen = JSON.stringify(host.api.requests.map(({ body }) => body.messages));
      // The runner knows its own key and not the other text, which shows that output came through.
      expect(seen).toContain(secret);
      expect(seen).not.toContain('key-of-the-runner');
    }));

  it('[BND-2.3] a file that the agent wrote is passed as a copy, and only below the folder of the rule', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl', 'cat "$3"');
      const attempt = await runCommands(
        host,
        [
          'echo mine > /project/plan.txt; fakectl apply -f plan.txt',
          'fakectl apply -f /etc/hostname',
          'ln -s /etc/hostname /project/link; fakectl apply -f link',
          'fakectl apply -f ../etc/hostname',
          'mkdir folder; fakectl apply -f folder',
        ],
        {
          allowedRules: ['Edit(./**)'],
          commands: policy(['Bash(fakectl apply -f {path under .})']),
        },
      );
      const [own, ...others] = answersOf(attempt);
      expect(own).toBe('mine');
      for (const refused of others) expect(refused).toContain('tierwatch: not run: ');
      const [line, ...more] = await host.ran();
      expect(more).toEqual([]);
      expect(line).toMatch(/^fakectl apply -f .*\/broker\/\d+\/\d+\/plan\.txt$/);
    }));

  it('[BND-2.5] [BND-2.8] the control plane is asked before a command that may change something, and only then', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl', 'echo answered');
      await host.addProgram('docker', 'echo answered');
      const message = 'web was restarted twice in the last 4h.';
      host.plane.commandAnswer = ({ argv }) =>
        argv.includes('restart')
          ? { verdict: 'refused', code: 'cooldown', message }
          : { verdict: 'allowed' };
      const attempt = await runCommands(
        host,
        ['fakectl restart web; echo code $?', 'fakectl logs web', 'docker ps'],
        { commands: policy([...RULES, 'Bash(docker ps:*)']) },
      );
      expect(answersOf(attempt)).toEqual([
        `tierwatch: not run: ${message}\ncode 126`,
        'answered',
        'answered',
      ]);
      expect(await host.ran()).toEqual(['fakectl logs web', 'docker ps']);
      expect(host.plane.commands.map(({ argv, fence }) => `${fence} ${argv.join(' ')}`)).toEqual([
        '1 fakectl restart web',
        '1 fakectl logs web',
      ]);
      expect(brokeredOf(attempt)[0]).toMatchObject({
        phase: 'refused',
        refusal: { code: 'cooldown', message },
      });
    }));

  it('[BND-2.4] an intent is stored before its command starts, and its end after it', () =>
    withConfined(cli, async (host) => {
      // The program reads what the runner has on disk while it runs.
      await host.addProgram('fakectl', `cat ${host.runnerDir}/spool/*/events.ndjson`);
      const attempt = await runCommands(host, ['fakectl restart web'], { commands: policy(RULES) });
      const [answer] = answersOf(attempt);
      expect(answer).toContain('"phase":"started","number":1,"argv":["fakectl","restart","web"]');
      expect(answer).not.toContain('"phase":"ended"');
      expect(brokeredOf(attempt)).toMatchObject([
        { phase: 'started', number: 1, changes: true },
        { phase: 'ended', number: 1, end: { exitCode: 0 } },
      ]);
    }));

  it('a command runs in an empty folder, with a home of its own and without the model’s variables', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl', 'pwd; ls -A; env | cut -d= -f1 | sort | tr "\\n" " "');
      const attempt = await runCommands(host, ['fakectl restart web'], { commands: policy(RULES) });
      const [folder, names, ...more] = (answersOf(attempt)[0] ?? '').split('\n');
      expect(path.basename(folder ?? '')).toMatch(/^tierwatch-command-/);
      expect(names?.trim()).toBe('GIT_CEILING_DIRECTORIES HOME PATH PWD TIERWATCH_ATTEMPT');
      expect(more).toEqual([]);
    }));
});
