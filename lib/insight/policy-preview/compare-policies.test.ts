import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { changedTiers, comparePolicies, type RanCommand } from './compare-policies';
import { type CommandPolicyVersion, MAX_LISTED } from './schema';

type Tier2 = Partial<CommandPolicyVersion['tiers'][number]> &
  Partial<Pick<CommandPolicyVersion, 'isolation'>>;

const RULE = 'Bash(docker restart {service})';

function container(target: string): ServiceSpec {
  return { name: `the ${target}`, checks: [{ type: 'container', target, timeoutSeconds: 5 }] };
}

/** A policy with these differences in tier 2, and this isolation. */
function policy(
  { isolation = 'open', ...tier2 }: Tier2 = {},
  rest: Partial<CommandPolicyVersion> = {},
): CommandPolicyVersion {
  const tiers = ([1, 2, 3] as const).map((tier) => ({
    tier,
    isEnabled: true,
    tools: ['Bash'],
    allowedTools: [RULE],
    disallowedTools: [],
    askFirstTools: [],
    ...(tier === 2 ? tier2 : {}),
  }));
  const services = ['web', 'db'].map(container);
  return { services, tiers, maxTier: 3, isolation, ...rest };
}

let seq = 0;

function ran(form: RanCommand['form'], changes: Partial<RanCommand> = {}): RanCommand {
  seq += 1;
  return {
    tier: 2,
    form,
    isConfined: 'argv' in form,
    count: 1,
    newest: { sessionNumber: 7, seq, at: '2026-11-28T12:00:00.000Z' },
    ...changes,
  };
}

const line = (text: string, changes: Partial<RanCommand> = {}) => ran({ line: text }, changes);
const argv = (text: string, changes: Partial<RanCommand> = {}) =>
  ran({ argv: text.split(' ') }, changes);
const inSandbox = { isConfined: true };

/** `newly_allowed docker ps`, for each change. */
async function changes(
  commands: RanCommand[],
  before: CommandPolicyVersion,
  after: CommandPolicyVersion,
) {
  const { groups } = await comparePolicies(commands, before, after);
  return groups.flatMap(({ kind, listed }) => listed.map(({ command }) => `${kind} ${command}`));
}

const isolated = { isolation: 'confined' } as const;
const allowing = (...rules: string[]) => ({ allowedTools: [RULE, ...rules] });

describe('[BND-5.2] what a policy changes about commands', () => {
  it.each<[string, RanCommand, Tier2, Tier2, string[]]>([
    ['a rule more', line('helm ls'), {}, allowing('Bash(helm ls)'), ['newly_allowed helm ls']],
    [
      'a rule less',
      line('docker restart web'),
      {},
      { allowedTools: [] },
      ['newly_refused docker restart web'],
    ],
    [
      'a denied rule over an allowed one',
      line('docker restart web'),
      {},
      { disallowedTools: ['Bash(docker restart:*)'] },
      ['newly_refused docker restart web'],
    ],
    ['a rule for another command', line('docker restart web'), {}, allowing('Bash(x)'), []],
    [
      'asking first in an open project, which denies',
      line('docker restart web'),
      {},
      { askFirstTools: ['Bash(docker restart web)'] },
      ['newly_refused docker restart web'],
    ],
    [
      'the shell removed',
      line('docker restart web'),
      {},
      { tools: ['Read'] },
      ['newly_refused docker restart web'],
    ],
    ['the tier off', line('ls'), {}, { isEnabled: false }, ['newly_refused ls']],
    ['the tier on', line('ls'), { isEnabled: false }, {}, ['newly_allowed ls']],
    [
      'rules of a tier that stays off',
      line('ls'),
      { isEnabled: false },
      { isEnabled: false, tools: [] },
      [],
    ],
    [
      'asking first in a confined project',
      argv('docker restart web'),
      isolated,
      { ...isolated, askFirstTools: ['Bash(docker restart web)'] },
      ['newly_asking docker restart web'],
    ],
    [
      'no longer asking',
      argv('docker restart web'),
      { ...isolated, askFirstTools: ['Bash(docker restart web)'] },
      isolated,
      ['no_longer_asking docker restart web'],
    ],
    [
      'a rule that asks for what was refused',
      argv('docker stop web'),
      isolated,
      { ...isolated, askFirstTools: ['Bash(docker stop {service})'] },
      ['newly_asking docker stop web'],
    ],
    [
      'an option that no rule names',
      argv('docker restart web --signal KILL'),
      isolated,
      { ...isolated, ...allowing('Bash(docker restart {service} --signal KILL)') },
      ['newly_allowed docker restart web --signal KILL'],
    ],
    [
      'the only rule of a program less',
      argv('docker restart web'),
      isolated,
      { ...isolated, allowedTools: [] },
      ['newly_inside docker restart web'],
    ],
    [
      'a program of a line that leaves the sandbox',
      line('helm ls | grep web', inSandbox),
      isolated,
      { ...isolated, ...allowing('Bash(helm ls)') },
      ['newly_allowed helm ls'],
    ],
    [
      'confined: each program of the line is decided',
      line('docker restart web && docker restart cache'),
      allowing('Bash(docker restart cache)', 'Bash(docker restart web && docker restart cache)'),
      isolated,
      ['newly_refused docker restart web && docker restart cache'],
    ],
    [
      'confined: a program that no rule names stays in the sandbox',
      line('ls; helm ls'),
      {},
      isolated,
      ['newly_inside ls; helm ls'],
    ],
    ['confined: the same answer', line('docker restart web'), {}, isolated, []],
    [
      'confined: asking first can wait',
      line('docker restart web'),
      { askFirstTools: ['Bash(docker restart web)'] },
      { ...isolated, askFirstTools: ['Bash(docker restart web)'] },
      ['newly_asking docker restart web'],
    ],
    [
      'open: the line is decided',
      line('echo $(helm ls)', inSandbox),
      isolated,
      {},
      ['newly_refused echo $(helm ls)'],
    ],
    ['open: what the broker was asked for is in its line', argv('helm ls'), isolated, {}, []],
    [
      'open: it leaves the sandbox',
      line('cat notes.txt', inSandbox),
      isolated,
      {},
      ['newly_allowed cat notes.txt'],
    ],
  ])('%s', async (_title, command, before, after, expected) => {
    expect(await changes([command], policy(before), policy(after))).toEqual(expected);
  });

  it('says how often, where the last one is, and which rule decides', async () => {
    const older = line('helm ls', {
      count: 3,
      newest: { sessionNumber: 4, seq: 90, at: '2026-11-20T12:00:00.000Z' },
    });
    const newer = line('helm ls', {
      ...inSandbox,
      count: 2,
      newest: { sessionNumber: 9, seq: 5, at: '2026-11-27T12:00:00.000Z' },
    });
    const rare = line('helm list', { count: 1 });
    const after = policy(allowing('Bash(helm:*)'));
    expect(await comparePolicies([rare, older, newer], policy(), after)).toEqual({
      tiers: [{ tier: 2, commands: 2 }],
      groups: [
        {
          kind: 'newly_allowed',
          tier: 2,
          commands: 2,
          calls: 6,
          listed: [
            {
              command: 'helm ls',
              count: 5,
              newest: newer.newest,
              rule: 'Bash(helm:*)',
              why: 'Bash(helm:*) allows it.',
            },
            expect.objectContaining({ command: 'helm list', count: 1 }),
          ],
        },
      ],
    });
  });

  it('names the rule of the broker, or why there is none', async () => {
    const before = policy({ ...isolated, ...allowing('Bash(helm ls)') });
    const after = policy({ ...isolated, disallowedTools: ['Bash(docker:*)'] });
    const { groups } = await comparePolicies(
      [argv('docker restart web'), argv('helm ls')],
      before,
      after,
    );
    expect(groups.map(({ kind, listed }) => [kind, listed[0]?.rule, listed[0]?.why])).toEqual([
      [
        'newly_refused',
        'Bash(docker:*)',
        'Bash(docker:*) denies it, even if an allowed rule matches.',
      ],
      [
        'newly_inside',
        null,
        'No rule names it, so it runs in the sandbox, where it can change nothing outside.',
      ],
    ]);
  });

  it('counts what the broker was asked for once, not in its line again', async () => {
    const commands = [argv('docker ps', { count: 4 }), line('docker ps | wc -l', inSandbox)];
    const before = policy({ ...isolated, allowedTools: [] });
    const { groups, tiers } = await comparePolicies(
      commands,
      before,
      policy({ ...isolated, ...allowing('Bash(docker ps:*)') }),
    );
    expect(groups).toMatchObject([{ kind: 'newly_allowed', commands: 1, calls: 4 }]);
    expect(tiers).toEqual([{ tier: 2, commands: 2 }]);
  });

  it('follows the services that fill the placeholders', async () => {
    const after = policy({}, { services: [container('web')] });
    expect(await changes([line('docker restart db')], policy(), after)).toEqual([
      'newly_refused docker restart db',
    ]);
    expect(changedTiers(policy(), after)).toEqual([1, 2, 3]);
  });

  it('puts tiers above the maximum off', async () => {
    expect(await changes([line('ls')], policy(), policy({}, { maxTier: 1 }))).toEqual([
      'newly_refused ls',
    ]);
  });

  it('leaves out tiers whose decisions stay the same', async () => {
    const after = policy(allowing('Bash(helm ls)'));
    expect(changedTiers(policy(), after)).toEqual([2]);
    expect(await changes([line('helm ls', { tier: 1 })], policy(), after)).toEqual([]);
    expect(changedTiers(policy(), policy({ tools: ['Read', 'Bash'] }))).toEqual([]);
  });

  it('lists a limited number of each group, and counts them all', async () => {
    const commands = Array.from({ length: MAX_LISTED + 3 }, (_, at) => line(`helm get ${at}`));
    const after = policy(allowing('Bash(helm:*)'));
    const [group] = (await comparePolicies(commands, policy(), after)).groups;
    expect(group).toMatchObject({ commands: MAX_LISTED + 3, calls: MAX_LISTED + 3 });
    expect(group?.listed).toHaveLength(MAX_LISTED);
  });

  it('lets other requests be served in between', async () => {
    const commands = Array.from({ length: 250 }, (_, at) => line(`helm get ${at}`));
    let turns = 0;
    const count = () => {
      turns += 1;
      other = setImmediate(count);
    };
    let other = setImmediate(count);
    await comparePolicies(commands, policy(), policy(allowing('Bash(helm:*)')));
    clearImmediate(other);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('shows arguments as a shell takes them', async () => {
    const commands = [ran({ argv: ['docker', 'restart', "it's web"] })];
    const after = policy({ ...isolated, allowedTools: [] });
    expect(await changes(commands, policy(isolated), after)).toEqual([
      String.raw`newly_inside docker restart 'it'\''s web'`,
    ]);
  });
});
