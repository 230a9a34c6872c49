import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS } from '../default-tiers';
import { ruleHelp } from './help';
import {
  askFirstWarning,
  deadAllowRule,
  deadAskRule,
  deadRefuseRule,
  shadowWarning,
} from './problems';

const TOOLS = ['Bash', 'Read', 'Write', 'Edit'];

describe('[SAS-2.1] a rule that does nothing is refused', () => {
  it.each([
    ['docker ps', /is not a rule/],
    ['Bash(docker ps', /is not a rule/],
    ['bash(docker ps:*)', /no tool named bash\. Write Bash\./],
    ['docker', /no tool named docker\. To allow a command, write Bash\(docker:\*\)/],
    ['WebFetch', /WebFetch is not among the tools/],
    ['Write(//etc/**)', /Use Edit\(\/\/etc\/\*\*\)/],
  ])('%s', (rule, words) => {
    expect(deadAllowRule(rule, TOOLS)).toMatch(words);
  });

  it.each(['Bash', 'Bash(docker ps:*)', 'Edit(./**)', 'Write', 'mcp__dig__look', 'Read(//var/**)'])(
    'but not %s',
    (rule) => {
      expect(deadAllowRule(rule, TOOLS)).toBeNull();
    },
  );

  it('and none of the default tiers', () => {
    for (const { tools, allowedTools, disallowedTools } of DEFAULT_TIERS) {
      expect(allowedTools.flatMap((rule) => deadAllowRule(rule, tools) ?? [])).toEqual([]);
      expect(disallowedTools.flatMap((rule) => deadRefuseRule(rule) ?? [])).toEqual([]);
    }
  });
});

describe('a rule that another one covers is said to be', () => {
  it.each([
    ['Bash(docker ps:*)', ['Bash'], [], 'It adds nothing: Bash already covers it.'],
    [
      'Bash(docker ps -a)',
      ['Bash(docker:*)'],
      [],
      'It adds nothing: Bash(docker:*) already covers it.',
    ],
    [
      'Bash(git push --force:*)',
      [],
      ['Bash(git push:*)'],
      'It never applies: Bash(git push:*) overrides it.',
    ],
    ['Bash(helm:*)', [], ['Bash(helm:*)'], 'It never applies: Bash(helm:*) overrides it.'],
    ['Bash(docker ps:*)', ['Bash(docker ps)'], ['Bash(docker ps -a:*)'], null],
    ['Bash(dockerd:*)', ['Bash(docker:*)'], [], null],
    ['Read(//var/log/**)', ['Bash'], [], null],
  ])('%s beside %j, with %j refused', (rule, allowed, refused, words) => {
    expect(shadowWarning(rule, [rule, ...allowed], refused)).toBe(words);
  });
});

it('says of each form what it matches and what it misses', () => {
  expect(ruleHelp('Bash(git:*)', 'allowed')?.matches).toContain('every option and subcommand');
  expect(ruleHelp('Bash(git:*)', 'allowed')?.misses).toContain('each part needs a rule');
  expect(ruleHelp('Bash', 'allowed')?.misses).toMatch(/^Nothing/);
  expect(ruleHelp('Bash(docker restart:*)', 'refused')?.misses).toContain('sh -c');
  expect(ruleHelp('Edit(./**)', 'allowed')?.matches).toBe('Edit on ./**.');
  expect(ruleHelp('not a rule', 'allowed')).toBeNull();
});

it('an allowed rule that asks first as well says so', () => {
  const rule = 'Bash(docker stop web)';
  expect(shadowWarning(rule, [rule], [], [rule])).toContain('Ask first');
  expect(shadowWarning(rule, [rule], [], ['Bash(docker stop db)'])).toBeNull();
});

describe('a rule that asks first', () => {
  const policy = {
    disallowedTools: ['Bash(helm:*)'],
    askFirstTools: [
      'Bash(docker compose:*)',
      'Bash(docker compose stop web)',
      'Bash(terraform apply)',
    ],
  };

  it.each([
    ['Bash(helm uninstall web)', 'It never applies: Bash(helm:*) overrides it.'],
    ['Bash(terraform apply)', null],
    ['Bash(docker stop db)', null],
    [
      'Bash(docker compose stop web)',
      'It adds nothing: Bash(docker compose:*) already asks first.',
    ],
    [
      'Bash(kubectl -n {word} delete {word})',
      'In an open project it denies every kubectl command: nothing after the program is a plain word.',
    ],
    ['Bash(dig {host})', expect.stringContaining('denies every dig command')],
  ])('%s: %s', (rule, words) => {
    expect(askFirstWarning(rule, policy, 'open')).toEqual(words);
  });

  it('names a whole program without a warning in a confined project', () => {
    expect(askFirstWarning('Bash(dig {host})', policy, 'confined')).toBeNull();
  });

  it.each([
    ['Bash(docker stop {service})', null],
    ['Bash(docker * web)', /can’t ask first/],
    ['Read(//var/log/**)', /only commands can/],
  ])('%s can, or says why not', (rule, words) => {
    const problem = deadAskRule(rule, TOOLS);
    if (words === null) expect(problem).toBeNull();
    else expect(problem).toMatch(words);
  });

  it.each([
    ['Bash(docker stop {service})', /exactly these arguments/],
    ['Bash(docker compose stop:*)', /harmless options/],
    ['Read', null],
  ])('%s is explained while it is typed', (rule, words) => {
    const help = ruleHelp(rule, 'brokered');
    if (words === null) expect(help).toBeNull();
    else expect(help?.matches).toMatch(words);
  });
});

it.each<[string, string | null]>([
  ['Bash(docker compose)', 'only with exactly these arguments'],
  ['Bash(docker compose:*)', 'only with operands and harmless options'],
  ['Bash', null],
  ['Bash(*compose*)', null],
  ['Read(./**)', null],
])('[BND-4.1] the help of a rule that asks first says how wide %s is', (rule, alone) => {
  const help = ruleHelp(rule, 'asking');
  if (alone === null) return expect(help).toBeNull();
  expect(help?.matches).toBe(
    '`docker compose`, with anything between and after its words if an allowed rule lets the command run.',
  );
  expect(help?.misses).toContain(alone);
});
