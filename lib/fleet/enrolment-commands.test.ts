import { describe, expect, it } from 'vitest';
import { enrolmentCommands } from './enrolment-commands';

const sha256 = 'f'.repeat(64);
const of = (url: string) => enrolmentCommands({ url, token: 'enr_Ab-1_z', sha256 });

describe('[FLT-5.1] the command to copy', () => {
  it.each([
    'https://tw.example.com',
    "https://tw.example.com/o'brien",
    'https://tw.example.com/a b',
  ])('for %s is one line with nothing that a shell replaces', (url) => {
    for (const command of Object.values(of(url))) {
      expect(command).not.toMatch(/[\n!`$]/);
      // Every quote is closed; one inside is written '\''.
      expect(command.replaceAll("'\\''", '').split("'").length % 2).toBe(1);
    }
  });

  it('has the token in no argument of a program', () => {
    for (const command of [of('https://x.test').command, of('https://x.test').serviceCommand]) {
      expect(command.split(' && ')[1]).toMatch(/^TIERWATCH_ENROLLMENT_TOKEN=enr_Ab-1_z node /);
      expect(command.match(/enr_/g)).toHaveLength(1);
    }
  });

  it('without a file of the runner is that of a checkout', () => {
    const { command, checkoutCommand } = enrolmentCommands({
      url: 'https://x.test',
      token: 'enr_1',
      sha256: null,
    });
    expect(command).toBe(checkoutCommand);
    expect(command).toBe('npm run tierwatch -- runner start --url https://x.test --token enr_1');
  });
});
