/** Verdicts of the real CLI, as recorded against it; `tests/cli` asks it again. */
import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { DEFAULT_TIERS } from '../default-tiers';
import { type RuleLists, tryCommand } from './try-command';

const lists = (allowedTools: string[], disallowedTools: string[] = []): RuleLists => ({
  tools: ['Bash'],
  allowedTools,
  disallowedTools,
});
const runs = (rules: RuleLists, command: string) =>
  tryCommand(rules, command).verdict === 'allowed';

describe('[RES-6.3] with Bash(docker ps:*) and Bash(ansible:*) allowed', () => {
  const rules = lists(['Bash(docker ps:*)', 'Bash(ansible:*)']);

  it.each([
    ...['docker ps', 'docker ps -a', 'docker  ps', 'docker ps | cat', 'cd sub && docker ps'],
    ...['timeout 5 docker ps', 'ansible --version', 'ansible all -m shell -a "docker restart web"'],
    ...['ls', 'cat a.txt', 'grep x a.txt', 'find . -name a.txt', 'git status', 'git log -1'],
    ...['echo hi', 'pwd', 'whoami', 'ps aux', 'sleep 0.1'],
  ])('%s runs', (command) => {
    expect(runs(rules, command)).toBe(true);
  });

  it.each([
    ...['docker psx', 'docker restart web', 'docker ps && docker restart web'],
    ...['docker ps; rm -f /srv/work/zz', 'docker ps > out.txt', 'docker ps $(docker restart web)'],
    ...['docker ps `docker restart web`', 'docker ps & docker restart web', 'cd /tmp && docker ps'],
    ...['/opt/fakebin/docker ps', 'FOO=1 docker ps', 'PATH=/tmp/x docker ps', 'env docker ps'],
    ...['sh -c "docker ps"', 'ansible-playbook x.yml', 'ls /', 'cat /etc/hostname'],
    ...['find . -name nope -delete', 'git push', 'echo hi > b.txt', 'env', 'printenv KEY'],
    ...['head -1 /etc/passwd', 'curl http://127.0.0.1/', 'python3 -c "print(1)"', 'rm -f b.txt'],
    ...['mkdir -p zz', 'touch zz1'],
  ])('%s does not', (command) => {
    expect(runs(rules, command)).toBe(false);
  });
});

describe('[RES-6.3] without any rule', () => {
  it.each([
    ...['docker ps -a', 'docker logs web', 'docker inspect web', 'docker images', 'git diff'],
    ...['df -h', 'free -m', 'uptime', 'id', 'uname -a', 'hostname', 'date', 'which sh', 'stat .'],
    ...['wc -l a.txt', 'sort a.txt', 'sed -n 1p a.txt', 'jq . a.txt', 'xargs echo', 'tree'],
    ...['tail -1 a.txt', 'diff a.txt a.txt', 'ss -ltn', 'ip addr', 'lsof -i'],
  ])('%s runs, since it only reads', (command) => {
    expect(runs(lists([]), command)).toBe(true);
  });

  it.each([
    ...['docker exec web ls', 'docker stats --no-stream', 'kubectl get pods', 'npm test'],
    ...['systemctl status nginx', 'journalctl -n 5', 'ansible --version', 'ssh host uptime'],
    ...['git fetch', 'git branch x', 'gh pr list', 'sed -i s/x/y/ a.txt', 'node -e 1'],
    ...["awk '{print}' a.txt", 'ping -c1 127.0.0.1', 'kill 999999'],
  ])('%s does not', (command) => {
    expect(runs(lists([]), command)).toBe(false);
  });
});

describe('[RES-6.3] with Bash allowed and Bash(docker restart:*) refused', () => {
  const rules = lists(['Bash'], ['Bash(docker restart:*)']);

  it.each([
    ...['docker restart web', 'docker  restart web', 'cd /tmp && docker restart web'],
    ...['docker ps; docker restart web', 'env docker restart web', 'FOO=1 docker restart web'],
    ...[
      'command docker restart web',
      'D=docker; $D restart web',
      'echo web | xargs docker restart',
    ],
    ...['timeout 5 docker restart web', 'nohup docker restart web', 'docker \\\n restart web'],
    'if true; then docker restart web; fi',
  ])('%s is refused', (command) => {
    expect(tryCommand(rules, command)).toMatchObject({
      verdict: 'refused',
      rules: ['Bash(docker restart:*)'],
    });
  });

  it.each([
    ...['sh -c "docker restart web"', "bash -c 'docker restart web'", 'eval "docker restart web"'],
    ...['/opt/fakebin/docker restart web', 'docker "restart" web', 'do""cker restart web'],
    ...['echo $(docker restart web)', '(docker restart web)', "printf 'docker restart web' | sh"],
    `python3 -c "import os; os.system('docker restart web')"`,
  ])('%s gets through, and that is said', (command) => {
    const { verdict, notes } = tryCommand(rules, command);
    expect(verdict).toBe('allowed');
    expect(notes.join(' ')).toContain('Bash(docker restart:*) does not see that');
  });

  it.each(['docker --context default restart web', 'docker container restart web', 'docker ps'])(
    '%s runs',
    (command) => {
      expect(runs(rules, command)).toBe(true);
    },
  );
});

describe('forms of a rule', () => {
  it.each([
    ['Bash(docker restart web)', 'docker restart web', true],
    ['Bash(docker restart web)', 'docker restart web -t 5', false],
    ['Bash(docker restart web)', 'docker  restart web', false],
    ['Bash(docker restart web *)', 'docker restart web', true],
    ['Bash(docker restart web *)', 'docker  restart web -t 5', true],
    ['Bash(*docker*restart*)', '/usr/bin/docker restart web', true],
    ['Bash(git:*)', 'git push --force', true],
    ['Bash(git:*)', 'gitk', false],
    ['Read', 'docker restart web', false],
  ])('%s, then %s: %s', (rule, command, isAllowed) => {
    expect(runs(lists([rule]), command)).toBe(isAllowed);
  });

  it('says which rule decides, and why', () => {
    expect(tryCommand(lists(['Bash(docker ps:*)', 'Bash(gh pr list:*)']), 'gh pr list')).toEqual({
      verdict: 'allowed',
      rules: ['Bash(gh pr list:*)'],
      why: 'Bash(gh pr list:*) allows it.',
      notes: [],
    });
    expect(tryCommand(lists(['Bash(git:*)']), 'git pull && make install').why).toBe(
      'No rule allows all of it: `make install` has none, and every part needs one.',
    );
    expect(tryCommand({ ...lists(['Bash']), tools: ['Read'] }, 'ls').why).toContain(
      'not among the tools',
    );
    expect(tryCommand(lists(['Bash'], ['Bash']), 'ls').verdict).toBe('refused');
    expect(tryCommand(lists([]), '  ').verdict).toBe('denied');
  });
});

describe('[RES-6.1] the default tiers', () => {
  const services: ServiceSpec[] = [
    {
      name: 'shop',
      checks: [
        { type: 'service', target: 'nginx', timeoutSeconds: 5 },
        { type: 'container', target: 'web', timeoutSeconds: 5 },
      ],
    },
  ];

  it('a verdict names the rule as it is written', () => {
    const { rules } = tryCommand(DEFAULT_TIERS[1], 'docker restart web', services);
    expect(rules).toEqual(['Bash(docker restart {service})']);
  });

  it.each([
    [1, 'systemctl status nginx', 'allowed'],
    [1, 'systemctl status other', 'denied'],
    [1, 'dig -f /etc/passwd', 'denied'],
    [1, 'docker restart web', 'refused'],
    [1, 'docker container restart web', 'denied'],
    [1, 'docker ps && docker restart web', 'refused'],
    [1, 'touch made-by-tier-1', 'denied'],
    [2, 'docker restart web', 'allowed'],
    [2, 'docker restart other', 'denied'],
    [2, 'docker restart shop', 'denied'],
    [2, 'docker restart nginx', 'denied'],
    [2, 'systemctl restart nginx.service', 'allowed'],
    [2, 'systemctl restart web', 'denied'],
    [2, 'systemctl restart shop', 'denied'],
    [2, 'docker compose up -d', 'denied'],
    [2, 'ansible all -m ping', 'refused'],
    [2, 'git push --force', 'refused'],
    [3, 'helm upgrade web chart', 'allowed'],
    [3, 'docker system prune -af', 'refused'],
    [3, 'docker compose down', 'allowed'],
  ] as const)('tier %d, %s: %s', (tier, command, verdict) => {
    const policy = DEFAULT_TIERS[tier - 1] ?? DEFAULT_TIERS[0];
    expect(tryCommand(policy, command, services).verdict).toBe(verdict);
  });
});

describe('in an open project a rule that asks first', () => {
  const asking = { ...lists(['Bash(docker:*)']), askFirstTools: ['Bash(docker stop:*)'] };

  it('denies its commands, even if an allowed rule matches', () => {
    expect(tryCommand(asking, 'docker stop web')).toMatchObject({
      verdict: 'refused',
      rules: ['Bash(docker stop:*)'],
      why: expect.stringContaining('only works in a confined project'),
    });
    expect(tryCommand(asking, 'docker restart web').verdict).toBe('allowed');
  });

  it('[BND-4.1] denies the other spelling of a unit, which another rule allows', () => {
    const rules = {
      ...lists(['Bash(systemctl restart {service})']),
      askFirstTools: ['Bash(systemctl restart web)'],
    };
    const services: ServiceSpec[] = [
      { name: 'web', checks: [{ type: 'service', target: 'web.service', timeoutSeconds: 5 }] },
      { name: 'api', checks: [{ type: 'service', target: 'api', timeoutSeconds: 5 }] },
    ];
    const verdict = (line: string) => tryCommand(rules, line, services).verdict;
    expect(verdict('systemctl restart web')).toBe('refused');
    expect(verdict('systemctl restart web.service')).toBe('refused');
    expect(verdict('systemctl restart api')).toBe('allowed');
  });

  it.each(['docker restart web', 'docker restart -t 1 web', 'docker restart --time 5 web'])(
    '[BND-4.1] denies %s, although its placeholders are no text',
    (command) => {
      const rule = 'Bash(docker restart [--time {int}] {service})';
      const rules = { ...asking, askFirstTools: [rule] };
      expect(tryCommand(rules, command)).toMatchObject({ verdict: 'refused', rules: [rule] });
    },
  );
});
