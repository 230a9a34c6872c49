import { expect, it } from 'vitest';
import { confinedRules } from './confined-rules';

const RULES = {
  allowedRules: ['Bash(docker ps:*)', 'Read(//var/log/**)', ' Bash ', 'BashOutput'],
  disallowedRules: ['Bash(rm:*)', 'Edit(**/.env*)'],
};

it('[BND-2.1] rules for commands give way to the broker, and others stay', () => {
  expect(confinedRules({ ...RULES, tools: ['Bash', 'Read'] })).toEqual({
    allowedRules: ['Read(//var/log/**)', 'BashOutput', 'Bash'],
    disallowedRules: ['Edit(**/.env*)'],
  });
});

it('a tier without the tool doesn’t get it', () => {
  expect(confinedRules({ ...RULES, tools: ['Read'] }).allowedRules).not.toContain('Bash');
});
