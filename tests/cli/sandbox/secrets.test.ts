/**
 * Secrets of commands: a program outside that writes down the variable it gets is the only judge of who
 * has it.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  answersOf,
  brokeredOf,
  describeConfined,
  policy,
  runCommands,
  withConfined,
} from './support';

const NAME = 'REGISTRY_TOKEN';
const VALUE = 'correct-horse-battery-staple';
const LOGIN = 'Bash(loginctl2 web)';
const PLAIN = 'Bash(fakectl restart web)';

describeConfined('secrets of commands', (cli) => {
  it('[BND-2.6] are in the environment of the commands whose rule names them and nowhere else, and redacted in their output', () =>
    withConfined(cli, async (host) => {
      const body = `echo "$0 has \${${NAME}-nothing}" >> ${host.outside}/env; echo "token \${${NAME}-nothing}"; printf %s "\${${NAME}-nothing}" | base64`;
      await host.addProgram('loginctl2', body);
      await host.addProgram('fakectl', body);
      await mkdir(path.join(host.runnerDir, 'secrets'), { recursive: true });
      await writeFile(path.join(host.runnerDir, 'secrets', NAME), `${VALUE}\n`);
      const attempt = await runCommands(
        host,
        [
          'loginctl2 web',
          'fakectl restart web',
          `echo "shell \${${NAME}-nothing}"; tr '\\0' '\\n' < /proc/self/environ | grep -c ${NAME}`,
          `grep -rl ${VALUE} /project /tmp /home /root /etc /var /run 2>/dev/null | head -3; echo searched`,
          `${NAME}=mine loginctl2 web`,
        ],
        { commands: policy([LOGIN, PLAIN], { secrets: [{ name: NAME, rules: [LOGIN] }] }) },
        [NAME],
      );
      const seen = await readFile(path.join(host.outside, 'env'), 'utf8');
      expect(
        seen
          .trim()
          .split('\n')
          .map((line) => line.replace(/^.*\//, '')),
      ).toEqual([
        `loginctl2 has ${VALUE}`,
        'fakectl has nothing',
        // What the agent's shell sets stays in its sandbox.
        `loginctl2 has ${VALUE}`,
      ]);
      const answers = answersOf(attempt);
      expect(answers[0]).toMatch(/token \[redacted/);
      expect(answers[2]).toContain('shell nothing\n0');
      expect(answers[3]).toMatch(/^searched/);
      const encoded = Buffer.from(VALUE).toString('base64');
      for (const text of [JSON.stringify(attempt), ...answers]) {
        expect(text).not.toContain(VALUE);
        expect(text).not.toContain(encoded);
      }
    }));

  it('[BND-2.6] that the host doesn’t have keep their command from running, with the reason', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('loginctl2');
      const attempt = await runCommands(
        host,
        ['loginctl2 web'],
        { commands: policy([LOGIN], { secrets: [{ name: NAME, rules: [LOGIN] }] }) },
        [NAME],
      );
      expect(await host.ran()).toEqual([]);
      expect(brokeredOf(attempt)).toMatchObject([
        { phase: 'refused', refusal: { code: 'secret_missing' } },
      ]);
      expect(answersOf(attempt)[0]).toContain(`needs ${NAME}`);
    }));
});
