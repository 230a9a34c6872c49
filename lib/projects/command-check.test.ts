import { describe, expect, it } from 'vitest';
import { checkSchema, type ServiceSpec } from '@/lib/protocol/spec';
import { commandCheckRefusal, harmProblem, newlyAllowedCommands } from './command-check';

describe('[INC-1.1] a command that a check may run without an owner', () => {
  it.each([
    'df',
    'df -P /srv',
    'docker ps --format json',
    'systemctl is-active nginx.service',
    'systemctl list-units --failed',
    'ss -tln',
    'kubectl get pods -n shop',
  ])('%s', (command) => {
    expect(harmProblem(command)).toBeNull();
  });

  it.each([
    // Verbs that change something.
    'docker restart web',
    'systemctl stop nginx',
    'kubectl delete pod x',
    'git push',
    // Verbs that the catalog lists with a risk.
    'docker inspect web',
    'ps aux',
    'git status',
    'curl https://shop.test',
    'docker exec web sh',
    // Options that it doesn't list.
    'docker -H tcp://evil ps',
    'systemctl --host=evil status nginx',
    'df --sync',
    // Programs and forms that it doesn't know.
    'sh -c true',
    'python3 check.py',
    'sudo df',
    'env df',
    'df; true',
    '/bin/df',
    '',
  ])('is not: %s', (command) => {
    expect(harmProblem(command)).toMatch(/\.$/);
  });
});

describe('[INC-1.1] a command that an owner allows', () => {
  const services = (...checks: object[]): ServiceSpec[] => [
    { name: 'web', checks: checks.map((check) => checkSchema.parse(check)) },
  ];
  const probe = (target: string) => ({ type: 'command', target, isAllowedByOwner: true });

  it.each([
    [services(probe('probe a')), [], ['probe a']],
    [services(probe('probe a')), services(probe('probe a')), []],
    // Another argument is another command.
    [services(probe('probe a b')), services(probe('probe a')), ['probe a b']],
    [services({ type: 'command', target: 'df' }), [], []],
    [services(), services(probe('probe a')), []],
    [services({ ...probe('probe a'), isAllowedByOwner: false }), [], []],
  ])('%j after %j: %j', (now, before, expected) => {
    expect(newlyAllowedCommands(now, before)).toEqual(expected);
  });
});

describe('[INC-1.1] the command of a check, by tier 1’s rules', () => {
  const policy = {
    ...{ allowed: ['Bash(df:*)', 'Bash(systemctl is-active {service})', 'Bash(touch:*)'] },
    ...{ denied: ['Bash(docker:*)'], askFirst: ['Bash(df -i:*)'], secrets: [] },
    values: {
      targets: { container: [], service: ['web'], process: [] },
      service: [],
      host: [],
      url: [],
    },
  };

  it.each([
    ['df -P /srv', false, null],
    ['systemctl is-active web', false, null],
    ['systemctl is-active db', false, /^tier 1’s rules don’t allow it\. .*db/],
    ['ss -tln', false, /^tier 1’s rules don’t allow it\. No rule of this tier names ss\./],
    ['ss -tln', true, null],
    ['docker ps', false, /^tier 1’s rule Bash\(docker:\*\) denies it\.$/],
    ['docker ps', true, /^tier 1’s rule Bash\(docker:\*\) denies it\.$/],
    ['df -i /srv', false, /^tier 1’s rule Bash\(df -i:\*\) asks a person first/],
    ['df -i /srv', true, /^tier 1’s rule Bash\(df -i:\*\) asks a person first/],
    // Tier 1’s rules alone don’t make a command harmless that runs every minute.
    ['touch /srv/x', false, /^touch is not in the catalog/],
    ['touch /srv/x', true, null],
    ['df | sh', true, /runs without a shell/],
  ] as const)('%s, allowed by an owner: %s', (target, isAllowedByOwner, refusal) => {
    const found = commandCheckRefusal({ target, isAllowedByOwner }, policy);
    if (refusal === null) expect(found).toBeNull();
    else expect(found).toMatch(refusal);
  });

  it('is left to the catalog and the owner where no rules are known', () => {
    expect(commandCheckRefusal({ target: 'df -P /srv' }, null)).toBeNull();
    expect(commandCheckRefusal({ target: 'touch /srv/x' }, null)).toMatch(/not in the catalog/);
    expect(commandCheckRefusal({ target: 'touch x', isAllowedByOwner: true }, null)).toBeNull();
  });
});
