import { describe, expect, it } from 'vitest';
import { checkSchema, type ServiceSpec } from '@/lib/protocol/spec';
import { harmProblem, newlyAllowedCommands } from './command-check';

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
