import { describe, expect, it } from 'vitest';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { expandRules, placeholderValues } from './placeholders';

function service(name: string, ...checks: [CheckSpec['type'], string][]): ServiceSpec {
  return {
    name,
    checks: checks.map(([type, target]) => ({ type, target, timeoutSeconds: 5 })),
  };
}

const shop = [
  service('web', ['http', 'https://shop.example.com/health'], ['service', 'nginx']),
  service('db', ['tcp', 'db.internal:5432'], ['dns', 'db.internal'], ['container', 'pg-1']),
];

describe('expandRules', () => {
  it.each<[string, string[]]>([
    ['Bash(docker ps:*)', ['Bash(docker ps:*)']],
    [
      'Bash(docker restart {service})',
      ['web', 'nginx', 'db', 'pg-1'].map((name) => `Bash(docker restart ${name})`),
    ],
    ['Bash(dig {host})', ['Bash(dig shop.example.com)', 'Bash(dig db.internal)']],
    [
      'Bash(check {host} {service})',
      ['web', 'nginx', 'db', 'pg-1'].flatMap((name) =>
        ['shop.example.com', 'db.internal'].map((host) => `Bash(check ${host} ${name})`),
      ),
    ],
    ['Bash(docker ps --format {{.Names}})', ['Bash(docker ps --format {{.Names}})']],
    ['Bash(echo {other})', ['Bash(echo {other})']],
  ])('%s', (rule, expected) => {
    expect(expandRules([rule], shop).toSorted()).toEqual(expected.toSorted());
  });

  it('takes the host of a tls check', () => {
    const services = [service('a', ['tls', 'shop.test:8443'], ['tls', 'https://www.shop.test/'])];
    expect(placeholderValues(services)['{host}']).toEqual(['shop.test', 'www.shop.test']);
  });

  it('gives no rule for a placeholder that nothing fills', () => {
    expect(expandRules(['Bash(dig {host})', 'Bash(docker ps)'], [service('web')])).toEqual([
      'Bash(docker ps)',
    ]);
    expect(expandRules(['Bash(docker restart {service})'], [])).toEqual([]);
  });

  it('[ENG-5.4] fills in no word that a program would read as an option or the shell as more', () => {
    const hostile = [
      service('a', ['tls', '-f'], ['tcp', '-f:53'], ['dns', '-oProxyCommand=x'], ['dns', 'x; id']),
      service('b', ['http', 'http://[::1]/'], ['container', '--privileged'], ['dns', '$(id)']),
      service('c', ['container', '*'], ['service', 'a b'], ['dns', 'x*'], ['dns', 'a,b']),
    ];
    expect(placeholderValues(hostile)).toEqual({ '{service}': ['a', 'b', 'c'], '{host}': [] });
  });

  it('says each rule once', () => {
    const twins = [service('web', ['dns', 'h']), service('api', ['dns', 'h'])];
    expect(expandRules(['Bash(dig {host})', 'Bash(dig {host})'], twins)).toEqual(['Bash(dig h)']);
  });
});
