import { describe, expect, it } from 'vitest';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { checkTargets, expandDenials, expandRules, namedHosts } from './placeholders';

function service(name: string, ...checks: [CheckSpec['type'], string][]): ServiceSpec {
  return {
    name,
    checks: checks.map(([type, target]) => ({ type, target, timeoutSeconds: 5 })),
  };
}

const shop = [
  service('web', ['http', 'https://shop.example.com/health'], ['service', 'nginx.service']),
  service('db', ['tcp', 'db.internal:5432'], ['dns', 'db.internal'], ['container', 'pg-1']),
  service('api', ['container', 'shop-api-2'], ['process', 'node'], ['process', '/run/api.pid']),
  service('orders', ['tcp', '127.0.0.1:8080']),
];

const UNITS = ['nginx.service', 'nginx'];
const CONTAINERS = ['pg-1', 'shop-api-2'];

describe('[HLD-3.5] what {service} stands for in rules of a program', () => {
  it.each<[string, string[]]>([
    ['docker restart {service}', CONTAINERS],
    ['docker container restart {service}', CONTAINERS],
    ['docker exec {service}:*', CONTAINERS.map((name) => name)],
    ['docker logs [--tail {int}] {service}', CONTAINERS],
    ['podman stop {service}', CONTAINERS],
    ['sudo docker restart {service}', CONTAINERS],
    ['sudo -n docker restart {service}', CONTAINERS],
    // Other things of Docker have names of their own, and another daemon has other containers.
    ['docker volume rm {service}', []],
    ['docker network rm {service}', []],
    ['docker image rm {service}', []],
    ['docker rmi {service}', []],
    ['docker pull {service}', []],
    ['docker service update {service}', []],
    ['docker run {service}', []],
    ['docker -H tcp://other restart {service}', []],
    ['docker --context other restart {service}', []],
    ['sudo -u other docker restart {service}', []],
    ['docker restart {service} && reboot', []],
    // Compose services, by their containers and the project of the rule.
    ['docker compose -p shop restart {service}', ['api']],
    ['docker compose --project-name shop restart {service}', ['api']],
    ['docker compose --project-name=shop restart {service}', ['api']],
    ['docker-compose -p shop restart {service}', ['api']],
    ['docker compose restart {service}', []],
    ['docker compose -p other restart {service}', []],
    ['docker compose -p sho restart {service}', []],
    ['docker compose -p {word} restart {service}', []],
    ['docker compose [-p shop] restart {service}', []],
    ['docker compose -p shop -p other restart {service}', []],
    ['docker compose -f shop.yml restart {service}', []],
    // Units, with and without their type.
    ['systemctl restart {service}', UNITS],
    ['systemctl status {service} --no-pager', UNITS],
    ['journalctl -u {service} -n 100', UNITS],
    ['journalctl -u{service}', UNITS],
    ['service {service} restart', ['nginx']],
    ['systemctl --user restart {service}', []],
    ['systemctl -H other restart {service}', []],
    ['systemctl --host=other restart {service}', []],
    ['systemctl restart [-M {word}] {service}', []],
    ['systemctl -qHother restart {service}', []],
    ['journalctl --user-unit {service}', []],
    ['journalctl -D /srv -u {service}', []],
    // Processes by their program.
    ['pkill {service}', ['node']],
    ['pgrep -a {service}', ['node']],
    ['democtl restart {service}', ['api']],
    // No check names what these act on.
    ['kubectl rollout restart deployment/{service}', []],
    ['kubectl delete pod {service}', []],
    ['helm uninstall {service}', []],
    ['ansible {service} -m ping', []],
    ['gh workflow run {service}', []],
    ['curl {service}', []],
    ['restart-app {service}', []],
    ['./restart.sh {service}', []],
    ['*docker*restart* {service}', []],
  ])('%s', (rule, names) => {
    const expected = names.map((name) => `Bash(${rule.replace('{service}', name)})`);
    expect(expandRules([`Bash(${rule})`], shop)).toEqual(expected);
  });

  it('is nothing in rules of other tools, and never a display name', () => {
    const rules = ['Read(//srv/{service}/**)', 'Edit(./{service}/**)', 'mcp__x__{service}'];
    expect(expandRules(rules, shop)).toEqual([]);
    const named = [service('orders', ['tcp', '127.0.0.1:1']), service('nginx')];
    expect(expandRules(['Bash(docker restart {service})'], named)).toEqual([]);
    expect(expandRules(['Bash(systemctl restart {service})'], named)).toEqual([]);
  });

  it.each([
    ['nginx', ['nginx', 'nginx.service']],
    ['nginx.service', ['nginx.service', 'nginx']],
    ['backup.timer', ['backup.timer']],
    ['odd.timer.service', ['odd.timer.service']],
    ['app@1', ['app@1', 'app@1.service']],
    [' nginx.service ', ['nginx.service', 'nginx']],
    ['u-*', []],
    ['--now', []],
  ])('is, for the unit %s, %j', (target, names) => {
    const rules = expandRules(
      ['Bash(systemctl start {service})'],
      [service('x', ['service', target])],
    );
    expect(rules).toEqual(names.map((name) => `Bash(systemctl start ${name})`));
  });
});

describe('expandRules', () => {
  it.each<[string, string[]]>([
    ['Bash(docker ps:*)', ['Bash(docker ps:*)']],
    [
      'Bash(dig {host})',
      ['Bash(dig shop.example.com)', 'Bash(dig db.internal)', 'Bash(dig 127.0.0.1)'],
    ],
    [
      'Bash(docker exec {service} ping {host})',
      CONTAINERS.flatMap((name) =>
        ['shop.example.com', 'db.internal', '127.0.0.1'].map(
          (host) => `Bash(docker exec ${name} ping ${host})`,
        ),
      ),
    ],
    ['Bash(docker ps --format {{.Names}})', ['Bash(docker ps --format {{.Names}})']],
    ['Bash(echo {other})', ['Bash(echo {other})']],
  ])('%s', (rule, expected) => {
    expect(expandRules([rule], shop).toSorted()).toEqual(expected.toSorted());
  });

  it('takes the host of a tls check', () => {
    const services = [service('a', ['tls', 'shop.test:8443'], ['tls', 'https://www.shop.test/'])];
    expect(namedHosts(services)).toEqual(['shop.test', 'www.shop.test']);
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
      service('d', ['container', 'shop-$(id)-1'], ['process', '-9'], ['process', '/x/-f.pid']),
    ];
    expect(namedHosts(hostile)).toEqual([]);
    const rules = ['docker restart', 'systemctl start', 'docker compose -p shop stop', 'pkill'];
    const all = [...rules, 'democtl restart'].map((rule) => `Bash(${rule} {service})`);
    expect(expandRules(all, hostile)).toEqual([]);
  });

  it('says each rule once', () => {
    const twins = [service('web', ['dns', 'h']), service('api', ['dns', 'h'])];
    expect(expandRules(['Bash(dig {host})', 'Bash(dig {host})'], twins)).toEqual(['Bash(dig h)']);
    expect(checkTargets([...shop, ...shop])).toEqual(checkTargets(shop));
  });
});

it('[HLD-3.5] a denied rule with a placeholder denies every name, whatever checks there are', () => {
  const denied = ['Bash(docker stop {service})', 'Bash(dig +short {host})', 'Bash(helm:*)'];
  expect(expandDenials([...denied, 'Bash(docker stop {service})'])).toEqual([
    ...['Bash(docker stop *)', 'Bash(dig +short *)', 'Bash(helm:*)'],
  ]);
});
