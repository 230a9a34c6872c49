import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { type Refusal, refusalOfCommand, refusalOfStart, refusalSentence } from './refusals';

const service = (name: string, target: string): ServiceSpec => ({
  name,
  checks: [{ type: 'container', target, timeoutSeconds: 5 }],
});
const SERVICES = [service('Web shop', 'web'), service('db', 'db')];

const refusalOf = (line: string | string[] | null, tier = 2): Refusal => ({
  id: '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a61',
  tier,
  argv: typeof line === 'string' ? line.split(' ') : line,
  decidedAt: new Date(0),
  refusal: 'ana@example.com refused it: a backup runs',
});

function isRefused(refused: string | string[], asked: string | string[]): boolean {
  const argv = typeof asked === 'string' ? asked.split(' ') : asked;
  return refusalOfCommand([refusalOf(refused)], argv, SERVICES) !== null;
}

describe('[HLD-4.3] a refused command is refused', () => {
  it.each<[string | string[], (string | string[])[]]>([
    [
      'docker restart web',
      [
        'docker restart web',
        'docker container restart web',
        'docker restart -t 5 web',
        'docker restart --time=5 web',
        'docker restart /web',
        'docker restart shop-web-1',
        'docker restart db web',
        'docker -H tcp://127.0.0.1:2375 restart web',
        'docker stop web',
        'docker start web',
        'docker kill web',
        'docker rm -f web',
        'docker pause web',
        // It may be the beginning of an id.
        'docker restart 3f2a',
        'docker compose restart web',
        'docker compose -p shop up -d web',
        'docker compose up -d --force-recreate web',
        'docker-compose restart web',
        'docker compose down',
        'podman restart web',
        'systemctl restart web',
        'systemctl stop web.service',
        'systemctl disable --now web',
        'kubectl rollout restart deployment/web',
        'kubectl delete pod web-7f9c',
        'kubectl scale deploy web --replicas=0',
        'helm upgrade web acme/web',
        'sudo docker restart web',
        ['sh', '-c', 'docker restart web'],
        ['env', 'A=b', 'docker', 'restart', 'web'],
        ['ansible', 'all', '-m', 'service', '-a', 'name=web state=restarted'],
      ],
    ],
    ['docker stop web', ['docker restart web', 'systemctl restart web']],
    [
      'docker restart cache',
      ['docker container restart cache', 'docker stop cache', 'systemctl stop cache.service'],
    ],
    ['systemctl restart cache.service', ['systemctl stop cache', 'systemctl restart cache']],
    ['docker compose down', ['docker restart web', 'docker compose -p shop down --remove-orphans']],
    [
      'docker compose up -d --build web',
      ['docker compose up -d web', 'docker compose up -d --force-recreate web'],
    ],
    [
      'docker exec -it web sh',
      ['docker exec web sh', 'docker container exec web bash', 'docker exec web kill 1'],
    ],
    ['git push origin main', ['git push', 'git push -f origin main', 'git push origin HEAD:main']],
    ['gh pr create --fill', ['gh pr create --title x --body y']],
    ['kubectl apply -f a.yaml', ['kubectl apply -f b.yaml', 'kubectl apply --filename=a.yaml']],
    ['deploy --now web', ['deploy web', 'deploy web --force']],
    [
      ['psql', '-h', 'pg', '-c', 'delete from orders'],
      [
        ['psql', '-h', 'pg', '-c', 'DELETE FROM orders;'],
        ['psql', '--command=delete from orders', '-h', 'pg'],
      ],
    ],
    [
      'docker inspect web',
      ['docker inspect web', 'docker container inspect -s web', 'docker inspect db web'],
    ],
    ['kubectl get secret tls', ['kubectl get secrets', 'kubectl get secret/tls -o yaml']],
  ])('%s, in every spelling', (refused, others) => {
    for (const asked of others) expect([asked, isRefused(refused, asked)]).toEqual([asked, true]);
  });

  it.each<[string | string[], (string | string[])[]]>([
    [
      'docker restart web',
      [
        'docker restart db',
        'docker restart cache',
        'docker logs web',
        'docker inspect web',
        'docker compose ps web',
        'systemctl status web',
        'systemctl restart db',
        'kubectl get pods',
        'kubectl rollout status deployment/web',
        'gh pr create --fill',
      ],
    ],
    ['docker restart cache', ['docker restart proxy', 'docker restart web', 'docker logs cache']],
    ['docker exec web sh', ['docker exec db sh', 'docker logs web']],
    ['docker inspect web', ['docker inspect db', 'docker logs web']],
    ['git push origin main', ['git fetch origin', 'git status']],
    ['gh pr create --fill', ['gh pr list', 'gh run rerun 5']],
    ['deploy web', ['deploy db', 'undeploy web']],
    ['kubectl get secret tls', ['kubectl get pods', 'kubectl logs web']],
    [
      ['psql', '-h', 'pg', 'shop', '-c', 'delete from orders'],
      [['psql', '-X', '-h', 'pg', '-c', 'select * from orders']],
    ],
  ])('%s, and nothing that does something else', (refused, others) => {
    for (const asked of others) expect([asked, isRefused(refused, asked)]).toEqual([asked, false]);
  });

  it('by the newest refusal that is about it, which is named', () => {
    const [first, other, newest] = ['docker restart web', 'docker restart db', 'docker stop web'];
    const refusals = [first, other, newest].map((line) => refusalOf(line ?? null));
    expect(refusalOfCommand(refusals, ['docker', 'restart', 'web'], SERVICES)).toBe(refusals[2]);
    expect(refusalSentence(refusalOf('docker restart web'))).toBe(
      '`docker restart web` was refused (ana@example.com refused it: a backup runs). That holds for every tier and chain of the incident, and for commands that do the same, until a person allows it again.',
    );
  });
});

describe('[HLD-4.3] a refused start of a tier', () => {
  it.each([
    [2, 1, false],
    [2, 2, true],
    [2, 3, true],
    [3, 2, false],
  ])('of tier %i is about tier %i: %s', (refused, tier, isAbout) => {
    expect(refusalOfStart([refusalOf(null, refused)], tier) !== null).toBe(isAbout);
    expect(refusalOfStart([refusalOf('docker restart web', refused)], tier)).toBeNull();
  });
});
