/** One catalog answers what a verb changes, what it counts as, and whether a look is repeated. */
import { describe, expect, it } from 'vitest';
import { CATALOG, ENTRIES } from '@/lib/commands/catalog/catalog';
import { isAutoAllowed, onlyReads } from '@/lib/commands/reading';
import { readShell } from '@/lib/commands/shell-command';
import { mayHaveChangedBy } from '../continuation/tool-calls';
import { actionsOfArgv, matchCooldownAction } from './rules';

/** What a verb is given, where a name isn't enough. */
const GIVEN: Readonly<Record<string, string>> = {
  ansible: 'all -m service -a state=restarted,name=web',
  curl: 'https://example.com/health',
  'docker compose exec': 'web kill 1',
  'docker exec': 'web kill 1',
  'docker run': '--name web web:2',
  'docker-compose exec': 'web kill 1',
  'kubectl exec': 'web -- kill 1',
  'nerdctl compose exec': 'web kill 1',
  'nerdctl exec': 'web kill 1',
  'oc exec': 'web -- kill 1',
  'podman compose exec': 'web kill 1',
  'podman exec': 'web kill 1',
  'podman-compose exec': 'web kill 1',
  'nerdctl run': '--name web web:2',
  'podman run': '--name web web:2',
  psql: "-X -c 'show server_version'",
  ps: 'aux',
  'rc-service': 'web restart',
  'systemctl disable': '--now web',
  'systemctl enable': '--now web',
  'systemctl mask': '--now web',
  'systemctl reenable': '--now web',
  'redis-cli': 'ping',
  service: 'web restart',
};

const isOpen = (program: string) => CATALOG.some((entry) => entry.program === program);

const VERBS = ENTRIES.flatMap((entry) =>
  [...entry.verbs, ...(entry.closedVerbs ?? [])].map((verb) => {
    const command = [entry.program, ...verb.words].join(' ');
    // What the options and operands of closed programs mean isn't known, so they don't count as a look.
    const given = isOpen(entry.program) || verb.changes ? (GIVEN[command] ?? 'web') : '';
    return { program: entry.program, verb, line: `${command} ${given}`.trim() };
  }),
);

describe('[ENG-5.1] every verb of the catalog', () => {
  it.each(VERBS)('$line', ({ program, verb, line }) => {
    const services = ['web', 'api'];
    const pairs = matchCooldownAction(line, services);
    const [command] = readShell(line).commands;
    const { words = [] } = command ?? {};
    // `git fetch` changes the work folder, which the broker doesn't count.
    const reads = !verb.changes && program !== 'git';
    expect(onlyReads(line)).toBe(reads);
    const call = {
      tool: 'Bash',
      isOurs: false,
      input: { command: line },
      result: { denied: false },
    };
    expect(mayHaveChangedBy(call)).toBe(!reads);
    expect(actionsOfArgv(words, services)).toEqual(pairs);
    if (verb.cooldown) expect(verb.changes).toBe(true);
    expect(pairs.map(({ action }) => action)).toEqual(
      verb.cooldown ? pairs.map(() => verb.cooldown?.action) : [],
    );
    expect(pairs.length > 0).toBe(verb.cooldown !== undefined);
    const runsAlone = ['df', 'ps', 'ss'].includes(program) || verb.needsNoRule === true;
    expect(command && isAutoAllowed(command)).toBe(runsAlone);
  });

  it('has more than fifty that look', () => {
    expect(VERBS.filter(({ verb }) => !verb.changes).length).toBeGreaterThan(53);
  });
});

describe('[ENG-5.1] an agent that only looked', () => {
  it.each([
    'kubectl get pods -n shop -o json',
    'kubectl -n shop get pods -o wide',
    'kubectl --context prod logs deploy/web --tail=200 --since 10m',
    'kubectl describe deployment web | tail -20',
    'systemctl status nginx --no-pager -l',
    'systemctl --no-pager status nginx',
    'systemctl --failed',
    'systemctl show -p MainPID nginx',
    'journalctl -u nginx -n 100 --no-pager --since "10 min ago"',
    'journalctl -xeu nginx',
    'docker compose -p shop ps -a',
    'docker compose -f compose.yaml logs --tail 50 web',
    'docker-compose ps',
    'docker stats --no-stream',
    'docker --context prod ps',
    'docker logs --details web',
    'helm status web -n shop -o yaml',
    'helm -n shop list',
    'curl -sS -o /dev/null -w "%{http_code}" http://127.0.0.1:8080/health',
    'curl -I -L https://example.com',
    'curl -X GET https://example.com',
    'dig +short example.com',
    'ping -c 3 example.com',
    'gh run list -R acme/shop',
    'psql -X -h db -c "select count(*) from jobs"',
    'redis-cli -h db info',
    'ss -ltnp; df -h; kubectl top pods',
  ])('%s may be retried', (command) => {
    const call = { tool: 'Bash', isOurs: false, input: { command }, result: { denied: false } };
    expect(mayHaveChangedBy(call)).toBe(false);
  });

  it.each([
    'kubectl get pods --kubeconfig ./kc.json',
    'kubectl get --raw /api',
    'kubectl delete pod web',
    'kubectl --namespace get delete pod web',
    'kubectl cp web:/a b',
    'systemctl restart nginx',
    'systemctl status nginx --now',
    'systemctl --now',
    'journalctl --vacuum-time=1s',
    'journalctl -u nginx --rotate',
    'docker compose up -d',
    'docker compose -p ps up -d',
    'docker events',
    'helm upgrade web chart',
    'helm status web --post-renderer ./x',
    'curl -X POST https://example.com',
    'curl -XPOST https://example.com',
    'curl --request=DELETE https://example.com',
    'curl -d a=b https://example.com',
    'curl -o out https://example.com',
    'curl -sSo out https://example.com',
    'curl -T file https://example.com',
    'psql -X -c "delete from jobs"',
    'psql -X -f x.sql',
    'psql -c "select pg_terminate_backend(1)"',
    'redis-cli flushall',
    'redis-cli --eval x.lua',
    'ss -K dst 10.0.0.1',
    'git fetch',
    'kubectl get pods > pods.txt',
    'kubectl logs $POD',
    'kubectl get pods | xargs kubectl delete pod',
    'pm2 list --config x',
    'podman events',
  ])('%s may not', (command) => {
    const call = { tool: 'Bash', isOurs: false, input: { command }, result: { denied: false } };
    expect(mayHaveChangedBy(call)).toBe(true);
  });
});
