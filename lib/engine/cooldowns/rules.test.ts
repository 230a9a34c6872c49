import { describe, expect, it } from 'vitest';
import { type NamedService, namedServices } from '@/lib/projects/service-names';
import { matchCooldownAction } from './rules';

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

describe('[HLD-3.2] matchCooldownAction finds', () => {
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
    "bash <<< 'docker restart web'",
    'docker restart web 2>&1 | tail -1',
    'docker restart web > api',
    'docker restart web 2> api',
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
    // A whole namespace, a kind, a selector.
    ['kubectl rollout restart deployment', ALL_RESTART],
    ['kubectl rollout restart deployments -n shop', ALL_RESTART],
    ['kubectl -n shop rollout restart deploy,sts', ALL_RESTART],
    ['kubectl rollout restart deployment -l tier=front', ALL_RESTART],
    ['kubectl rollout restart deployment --selector=app=web', RESTART_WEB],
    ['kubectl rollout restart deployment -lapp=web', RESTART_WEB],
    ['kubectl rollout restart deployment -l tier=front -n web', ALL_RESTART],
    ['kubectl rollout restart deployment -n api -l app=web', RESTART_WEB],
    ["kubectl rollout restart deployment -l 'app in (web, api)'", ['restart api', 'restart web']],
    ['kubectl rollout restart deployment -l app!=web', ALL_RESTART],
    ["kubectl delete pods -l 'app notin (web)'", ALL_RESTART],
    ['kubectl delete pods --field-selector metadata.name=web', RESTART_WEB],
    ['kubectl delete pods --all -n shop', ALL_RESTART],
    ['kubectl delete rollouts.argoproj.io --all', ALL_RESTART],
    ['kubectl delete namespace shop', ALL_RESTART],
    ['kubectl delete rollout web', RESTART_WEB],
    ['kubectl scale deployment --replicas 0 --all', ALL_RESTART],
    ['kubectl scale --replicas=0 deployment/web deployment/api', ['restart api', 'restart web']],
    ['kubectl set env deployment --all A=1', ALL_REDEPLOY],
    ['kubectl set image deployment/web web=shop:2', ['redeploy web']],
    ['oc rollout restart dc/web', RESTART_WEB],
    ['kubectl delete -f web.yaml', RESTART_WEB],
    // The beginning of a container's id may be any container.
    ['docker restart 3f2a', ALL_RESTART],
    ['docker kill 0c5e7d1f9a2b', ALL_RESTART],
    ['docker restart web 3f2a', ALL_RESTART],
    ["docker exec 3f2a sh -c 'kill 1; echo web'", ALL_RESTART],
    // The first process of a container ends the container.
    ['docker exec web kill 1', RESTART_WEB],
    ['docker exec -it -u root web kill -TERM 1', RESTART_WEB],
    ["docker exec web sh -c 'kill 1'", RESTART_WEB],
    ["docker exec web sh -c 'sleep 1; exec kill -9 1'", RESTART_WEB],
    ['docker exec web pkill -f gunicorn', RESTART_WEB],
    ['docker exec web timeout 5 kill 1', RESTART_WEB],
    ['docker compose exec -T web kill 1', RESTART_WEB],
    ['docker-compose exec web kill 1', RESTART_WEB],
    ['podman exec web /bin/kill 1', RESTART_WEB],
    ['kubectl exec -n shop web-7f9c-x2 -c app -- kill 1', RESTART_WEB],
    ['kubectl exec deploy/web -- /sbin/reboot', RESTART_WEB],
    ['docker exec 3f2a kill 1', ALL_RESTART],
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
    'docker exec web grep kill app.log',
    "docker exec web sh -c 'ps aux | grep kill'",
    'kubectl exec web -- cat /proc/1/status',
    'docker restart redis-2',
    'kubectl delete pod other-0',
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
