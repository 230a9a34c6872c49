import { describe, expect, it } from 'vitest';
import type { CooldownRule } from '../projects/schema';
import { withoutExhausted } from './allow-rules';
import {
  cooldownState,
  cooldownStateForHandoff,
  exhaustedPairs,
  matchCooldownAction,
} from './rules';
import { type NamedService, namedServices } from './service-names';

const services: NamedService[] = [
  'web',
  'api',
  'payments-db',
  { name: 'mail', aliases: ['postfix'] },
];

function matched(command: string, known = services): string[] {
  return matchCooldownAction(command, known)
    .map((pair) => `${pair.action} ${pair.service}`)
    .sort();
}

const RESTART_WEB = ['restart web'];
const ALL_RESTART = ['restart api', 'restart mail', 'restart payments-db', 'restart web'];
const ALL_REDEPLOY = ['redeploy api', 'redeploy mail', 'redeploy payments-db', 'redeploy web'];

describe('matchCooldownAction finds', () => {
  it.each([
    'docker restart web',
    'docker  restart   web',
    'docker restart -t 5 web',
    'docker restart --time=5 web',
    'docker stop web',
    'docker start web',
    'docker kill -s KILL web',
    'docker rm -f web',
    'docker container restart web',
    'docker --context default restart web',
    'docker -H tcp://h:1 restart web',
    'docker --host=tcp://h:1 restart web',
    '/usr/bin/docker restart web',
    '\\docker restart web',
    'podman restart web',
    'docker compose restart web',
    'docker compose -f a.yml -p shop restart web',
    'docker compose up -d web',
    'docker compose up -d --scale x=3 web',
    'docker-compose restart web',
    'docker service update --force web',
    'docker restart acme-web-1',
    'docker restart acme_web_1',
    'systemctl restart web',
    'systemctl restart web.service',
    'systemctl --user try-restart web',
    'systemctl reload-or-restart web',
    'sudo systemctl restart web',
    'sudo -n -u ops systemctl restart web',
    'service web restart',
    'supervisorctl restart web',
    'pm2 restart web',
    'pkill -f web',
    'killall web',
    'kubectl rollout restart deployment/web',
    'kubectl rollout restart deployment web',
    'kubectl -n shop rollout restart deploy/web',
    'kubectl delete pod web-7f9c-x2',
    'kubectl scale deploy/web --replicas=0',
    'democtl restart web',
    'ansible web -m service -a "name=web state=restarted"',
  ])('%s', (command) => {
    expect(matched(command)).toEqual(RESTART_WEB);
  });

  it.each([
    "sh -c 'docker restart web'",
    'bash -lc "docker restart web"',
    "bash -c 'cd /srv && docker restart web'",
    'eval "docker restart web"',
    'eval docker restart web',
    "ssh db-1 'docker restart web'",
    'ssh -i key -p 22 ops@db-1 docker restart web',
    'ssh -o BatchMode=yes db-1 "sudo systemctl restart web"',
    'ssh a \'ssh b "docker restart web"\'',
    'env docker restart web',
    'env -i PATH=/bin docker restart web',
    'FOO=1 docker restart web',
    'command docker restart web',
    'timeout 5 docker restart web',
    'timeout -k 1 5 docker restart web',
    'nohup docker restart web &',
    'nice -n 5 docker restart web',
    'time docker restart web',
    'exec docker restart web',
    'cd /tmp && docker restart web',
    'docker ps; docker restart web',
    'docker ps | docker restart web',
    'true || docker restart web',
    'docker ps\ndocker restart web',
    'docker \\\n restart web',
    'if true; then docker restart web; fi',
    '(docker restart web)',
    '{ docker restart web; }',
    'echo $(docker restart web)',
    'echo "$(docker restart web)"',
    'echo `docker restart web`',
    'cat <(docker restart web)',
    'docker "restart" web',
    'do""cker restart web',
    "do''cker re'start' w\"eb\"",
    "$'docker' restart web",
    'D=docker; $D restart web',
    'D=docker A=restart; \u0024{D} $A web',
    'S=web; docker restart "$S"',
    '{docker,restart,web}',
    "printf 'docker restart web' | sh",
    "echo 'docker restart web' | sudo bash -s",
    'echo web | xargs docker restart',
    'echo web | xargs -n 1 -P 2 docker restart',
    'for s in web; do docker restart $s; done',
    'watch -n 60 docker restart web',
    'python3 -c "import os; os.system(\'docker restart web\')"',
    "python3 -c \"subprocess.run(['docker', 'restart', 'web'])\"",
    'perl -e \'system("docker restart web")\'',
    "docker exec web sh -c 'systemctl restart web'",
    "find . -exec sh -c 'docker restart web' \\;",
    'ansible all -m shell -a "docker restart web"',
    'su - ops -c "docker restart web"',
  ])('%s, however it is written', (command) => {
    expect(matched(command)).toEqual(RESTART_WEB);
  });

  it.each([
    ['docker restart web api', ['restart api', 'restart web']],
    ['docker restart web; docker restart web', RESTART_WEB],
    ['docker restart postfix', ['restart mail']],
    ['docker restart payments-db', ['restart payments-db']],
    ['docker compose restart', ALL_RESTART],
    ['docker compose up -d', ALL_RESTART],
    ['docker compose down', ALL_RESTART],
    ['pm2 restart all', ALL_RESTART],
    ['docker restart $(docker ps -q)', ALL_RESTART],
    ['docker ps -q | xargs docker restart', ALL_RESTART],
    ['docker restart $NAME', ALL_RESTART],
    ['docker compose up -d --build web', ['redeploy web']],
    ['docker compose up --force-recreate', ALL_REDEPLOY],
    ['docker run -d --name web web:2', ['redeploy web']],
    ['docker service update --image web:2 web', ['redeploy web']],
    ['docker stack deploy -c stack.yml web', ['redeploy web']],
    ['helm upgrade web ./chart', ['redeploy web']],
    ['helm -n shop upgrade --install web ./chart', ['redeploy web']],
    ['helm rollback api 3', ['redeploy api']],
    ['kubectl apply -f web.yaml', ['redeploy web']],
    ['kubectl set image deploy/web app=web:2', ['redeploy web']],
    ['kubectl rollout undo deploy/web', ['redeploy web']],
    ['ansible-playbook site.yml --tags web', ['redeploy web']],
    ['ansible-playbook web.yml', ['redeploy web']],
    ['ansible-playbook site.yml', ALL_REDEPLOY],
  ])('%s: %j', (command, expected) => {
    expect(matched(command)).toEqual(expected);
  });
});

describe('matchCooldownAction leaves alone', () => {
  it.each([
    '',
    'docker ps -a',
    'docker logs --tail 200 web',
    'docker inspect web',
    'docker compose ps web',
    'docker restart redis',
    'docker restart webhooks',
    'docker run --rm web:2 true',
    'systemctl status web',
    'kubectl get pods',
    'kubectl rollout status deploy/web',
    'helm list',
    "echo 'docker restart web'",
    'grep restart web.log',
    'cat web/restart',
    'ls # docker restart web',
    'ansible web -m ping',
    'docker exec web ls restart',
    'sh script.sh',
  ])('%s', (command) => {
    expect(matched(command)).toEqual([]);
  });

  it('a shell that unwraps itself without end', () => {
    expect(matched(`${'sh -c '.repeat(500)}true`)).toEqual([]);
  });
});

it('namedServices knows containers, units and processes of a service by their names', () => {
  const checks = [
    { type: 'container' as const, target: 'shop-pg', timeoutSeconds: 5 },
    { type: 'process' as const, target: '/run/pg.pid', timeoutSeconds: 5 },
    { type: 'http' as const, target: 'http://x', timeoutSeconds: 5 },
  ];
  const known = namedServices([{ name: 'payments-db', checks }]);
  expect(known).toEqual([{ name: 'payments-db', aliases: ['shop-pg'] }]);
  expect(matched('docker restart shop-pg', known)).toEqual(['restart payments-db']);
});

const now = new Date('2026-11-21T14:00:00Z');
const rules: CooldownRule[] = [
  { action: 'restart', limit: 2, windowSeconds: 14_400 },
  { action: 'redeploy', limit: 1, windowSeconds: 86_400 },
];

function at(time: string, service = 'web', action: 'restart' | 'redeploy' = 'restart') {
  return { service, action, at: new Date(`2026-11-21T${time}:00Z`) };
}

describe('cooldownState', () => {
  function restarts(times: string[], rule = rules[0], when = now) {
    const state = cooldownState(
      rule ? [rule] : [],
      times.map((time) => at(time)),
      ['web'],
      when,
    );
    return state.map(({ used, nextAllowedAt }) => [used, nextAllowedAt?.toISOString() ?? null]);
  }

  it.each<[string, string[], [number, string | null]]>([
    ['no use', [], [0, null]],
    ['one left', ['12:40'], [1, null]],
    [
      'used up until the oldest leaves the window',
      ['13:00', '12:40'],
      [2, '2026-11-21T16:40:00.000Z'],
    ],
    [
      'passed: until enough have left',
      ['12:40', '12:50', '13:00'],
      [3, '2026-11-21T16:50:00.000Z'],
    ],
    ['older ones do not count', ['09:59', '10:00', '12:40'], [1, null]],
  ])('%s', (_title, times, expected) => {
    expect(restarts(times)).toEqual([expected]);
  });

  it('is allowed again at the moment it names', () => {
    const then = new Date('2026-11-21T16:40:00Z');
    expect(restarts(['12:40', '13:00'], rules[0], then)).toEqual([[1, null]]);
  });

  it('a limit of 0 is always exhausted and never ends', () => {
    const never: CooldownRule = { action: 'restart', limit: 0, windowSeconds: 60 };
    const state = cooldownState([never], [], ['web'], now);
    expect(state).toMatchObject([{ used: 0, limit: 0, nextAllowedAt: null }]);
    expect(exhaustedPairs(state)).toEqual([{ service: 'web', action: 'restart' }]);
  });

  it('counts each service and action apart', () => {
    const actions = [at('13:00'), at('13:10'), at('13:20', 'api'), at('13:30', 'web', 'redeploy')];
    const state = cooldownState(rules, actions, ['web', 'api'], now);
    expect(exhaustedPairs(state)).toEqual([
      { service: 'web', action: 'restart' },
      { service: 'web', action: 'redeploy' },
    ]);
    expect(cooldownStateForHandoff(state)).toMatchObject({
      web: { restart: { used: 2, limit: 2, window_seconds: 14_400 } },
      api: { restart: { used: 1, next_allowed_at: null }, redeploy: { used: 0 } },
    });
  });
});

describe('withoutExhausted', () => {
  const web = [{ service: 'web', action: 'restart' as const }];
  const known: NamedService[] = ['web', 'api', { name: 'mail', aliases: ['postfix'] }];

  it.each<[string, string[]]>([
    ['Bash(docker restart web)', []],
    ['Bash(docker restart web:*)', []],
    ['Bash(docker restart api)', ['Bash(docker restart api)']],
    [
      'Bash(docker restart:*)',
      ['Bash(docker restart api)', 'Bash(docker restart mail)', 'Bash(docker restart postfix)'],
    ],
    [
      'Bash(democtl restart *)',
      ['Bash(democtl restart api)', 'Bash(democtl restart mail)', 'Bash(democtl restart postfix)'],
    ],
    ['Bash(*docker*restart*)', []],
    ['Bash(sudo systemctl restart web.service)', []],
    ['Bash(docker ps:*)', ['Bash(docker ps:*)']],
    ['Bash(docker:*)', ['Bash(docker:*)']],
    ['Bash(helm upgrade:*)', ['Bash(helm upgrade:*)']],
    ['Read', ['Read']],
    ['mcp__tierwatch__check', ['mcp__tierwatch__check']],
    ['Edit(//srv/web)', ['Edit(//srv/web)']],
  ])('%s becomes %j', (rule, expected) => {
    expect(withoutExhausted([rule], web, known)).toEqual(expected);
  });

  it('leaves every rule as it is while nothing is exhausted', () => {
    const allowed = ['Bash(docker restart:*)', 'Bash(docker restart web)'];
    expect(withoutExhausted(allowed, [], known)).toEqual(allowed);
  });

  it('leaves out the rule for all when all are exhausted', () => {
    const all = ['web', 'api', 'mail'].map((service) => ({ service, action: 'restart' as const }));
    expect(withoutExhausted(['Bash(docker restart:*)'], all, known)).toEqual([]);
  });
});
