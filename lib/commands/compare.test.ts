import { describe, expect, it } from 'vitest';
import { decideCommand } from './decide';
import type { MatchContext } from './match';
import { type CommandRule, parseCommandRule } from './rule';
import { ruleForm } from './spelling';

const CONTEXT: MatchContext = {
  known: {
    targets: { container: ['web', 'api-1'], service: ['web', 'api-1'], process: [] },
    host: [],
    url: [],
  },
  place: { cwd: '/agent/deploy', workDir: '/agent', realPath: (file) => file },
};

function rule(text: string): CommandRule {
  const parsed = parseCommandRule(`Bash(${text})`);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem}`);
  return parsed.rule;
}

type Lists = Partial<Record<'allowed' | 'denied' | 'askFirst', string[]>>;

function decide(lists: Lists, line: string): 'allowed' | 'asks' | 'denied' | 'refused' {
  const { allowed = [], denied = [], askFirst = [] } = lists;
  const decision = decideCommand(
    { allowed: allowed.map(rule), denied: denied.map(rule), askFirst: askFirst.map(rule) },
    line.split(' '),
    CONTEXT,
  );
  if (decision.verdict === 'allowed') return decision.needsApproval ? 'asks' : 'allowed';
  return decision.code === 'denied_by_rule' ? 'denied' : 'refused';
}

/** A rule, beside an open rule of its program, and a command that it is about. */
const SAME: [about: string, rule: string, command: string][] = [
  // Options in another place.
  ['option behind', 'kubectl -n prod delete:*', 'kubectl delete pod web -n prod'],
  ['option between', 'kubectl delete pod web -n prod', 'kubectl delete -n prod pod web'],
  ['long name', 'kubectl delete pod web -n prod', 'kubectl delete --namespace=prod pod/web'],
  ['joined value', 'kubectl delete pod web --namespace=prod', 'kubectl delete pod web -nprod'],
  ['flag between', 'systemctl stop web --no-block', 'systemctl stop --no-block web'],
  ['flag in front', 'systemctl --no-block stop web', 'systemctl stop web --no-block'],
  ['value in front', 'docker restart -t 5 web', 'docker restart web -t 5'],
  // Joined options.
  ['other flags first', 'docker logs -f', 'docker logs -tf web'],
  ['other flags last', 'docker ps -a', 'docker ps -aq'],
  ['another order', 'docker exec -it web', 'docker exec -ti web sh'],
  ['apart', 'docker exec -it web', 'docker exec -i -t web sh'],
  ['long names', 'docker exec -it web sh', 'docker exec --interactive --tty web sh'],
  ['placeholder in an option', 'docker logs --tail={int}', 'docker logs web --tail 5'],
  // Kinds.
  ['crd', 'kubectl delete crd:*', 'kubectl delete customresourcedefinition web'],
  ['crds', 'kubectl delete crd web', 'kubectl delete crds web'],
  ['CRD/web', 'kubectl delete crd web', 'kubectl delete CRD/web'],
  ['sa', 'kubectl delete sa web', 'kubectl delete serviceaccounts web'],
  ['pdb', 'kubectl delete poddisruptionbudget web', 'kubectl delete pdb web'],
  ['netpol', 'kubectl delete networkpolicies web', 'kubectl delete netpol web'],
  ['ingresses', 'kubectl delete ing web', 'kubectl delete ingresses.networking.k8s.io web'],
  ['unknown kind', 'kubectl delete certificate web', 'kubectl delete Certificate/web'],
  // Programs and commands with two names.
  ['docker-compose', 'docker compose down', 'docker-compose down'],
  ['docker compose', 'docker-compose down -t 5', 'docker compose down --timeout=5'],
  ['upper case', 'redis-cli get', 'redis-cli GET x'],
];

describe('[BND-2.2] a denied rule and one that asks first', () => {
  it.each(SAME)('mean every spelling, %s: %s and %s', (_about, text, command) => {
    const allowed = [`${command.split(' ')[0]}:*`];
    expect(decide({ allowed }, command)).toBe('allowed');
    expect(decide({ allowed, denied: [text] }, command)).toBe('denied');
    expect(decide({ allowed, askFirst: [text] }, command)).toBe('asks');
  });

  it.each([
    ['kubectl delete pod web -n prod', 'kubectl delete pod web -n test'],
    ['kubectl delete pod web -n prod', 'kubectl delete pod prod -n web'],
    ['kubectl delete crd web', 'kubectl delete sa web'],
    ['docker logs -f', 'docker logs -t web'],
    ['docker ps -a', 'docker ps -q'],
    ['docker restart -t 5 web', 'docker restart -t 50 web'],
    ['docker exec -it web', 'docker exec -i web sh'],
    ['docker exec -i web', 'docker exec web sh -i'],
    ['docker compose logs -f', 'docker compose logs -t'],
    ['docker-compose down', 'docker stop down'],
  ])('denies nothing else: %s and %s', (text, command) => {
    const allowed = [`${command.split(' ')[0]}:*`];
    expect(decide({ allowed, denied: [text] }, command)).toBe('allowed');
  });

  it.each<[allowed: string, rule: string, command: string]>([
    // A value in the same word.
    [
      'kubectl delete pod web -n=prod',
      'kubectl delete pod web -n prod',
      'kubectl delete pod web -n=prod',
    ],
    ['docker ps -an5', 'docker ps -n 5', 'docker ps -an5'],
    // An option that no open rule allows.
    ['docker rm --force {service}', 'docker rm -f web', 'docker rm --force web'],
    ['docker compose down -v', 'docker compose down --volumes', 'docker compose down -v'],
    ['docker rm -fv {service}', 'docker rm --volumes web', 'docker rm -fv web'],
    ['docker run -eA=b web', 'docker run --env A=b', 'docker run -eA=b web'],
    ['docker run --bogus web', 'docker run --bogus web', 'docker run --bogus web'],
    ['docker run web --bogus', 'docker run --bogus web', 'docker run web --bogus'],
    ['docker compose rm -s web', 'docker compose rm web', 'docker compose rm -s web'],
    [
      'kubectl delete pod web --now',
      'kubectl delete pod web --now=true',
      'kubectl delete pod web --now',
    ],
    // A program that the catalog doesn't know.
    ['deploy-tool run -ab web', 'deploy-tool run -b web', 'deploy-tool run -ab web'],
    ['deploy-tool run web -x 5', 'deploy-tool -x=5 run', 'deploy-tool run web -x 5'],
    // The end of options.
    ['systemctl stop -- {service}', 'systemctl stop web', 'systemctl stop -- web'],
    // A name that begins with +.
    ['git push origin +main', 'git push origin {text}', 'git push origin +main'],
  ])('mean a closed rule’s command: beside %s, %s and %s', (allowed, text, command) => {
    expect(decide({ allowed: [allowed] }, command)).toBe('allowed');
    expect(decide({ allowed: [allowed], denied: [text] }, command)).toBe('denied');
    expect(decide({ allowed: [allowed], askFirst: [text] }, command)).toBe('asks');
  });
});

describe('[BND-4.1] a closed rule beside one that asks first', () => {
  it.each<[allowed: string, asking: string, command: string, 'asks' | 'allowed']>([
    // Options in another place.
    [
      'docker restart {service} [-t {int}]',
      'docker restart -t 5 web',
      'docker restart web -t 5',
      'asks',
    ],
    [
      'helm rollback {word} [-n {word}]',
      'helm rollback -n prod web',
      'helm rollback web -n prod',
      'asks',
    ],
    [
      'helm rollback {word} [-n {word}]',
      'helm rollback -n prod web',
      'helm rollback web -n test',
      'allowed',
    ],
    // A verb that the catalog doesn't know.
    [
      'docker container restart {word}',
      'docker restart web',
      'docker container restart 3f2a',
      'asks',
    ],
    [
      'docker container restart {word}',
      'docker container restart web',
      'docker container restart 3f2a',
      'asks',
    ],
    ['docker rm {word}', 'docker rm web', 'docker rm 3f2a', 'asks'],
    ['docker container rm {word}', 'docker rm web', 'docker container rm 3f2a', 'asks'],
    ['docker rm {word}', 'docker kill web', 'docker rm 3f2a', 'allowed'],
    ['docker rm {word}', 'docker rm web', 'docker rm api-1', 'allowed'],
    ['docker rm {word}', 'docker {word} web', 'docker rm 3f2a', 'asks'],
    ['docker --bogus rm {word}', 'docker kill web', 'docker --bogus rm 3f2a', 'asks'],
    ['systemctl kill {text}', 'systemctl kill web', 'systemctl kill we?', 'asks'],
    ['systemctl --failed', 'systemctl restart web', 'systemctl --failed', 'allowed'],
    [
      'kubectl patch {word} {word} -p {text}',
      'kubectl patch certificate web -p x',
      'kubectl patch cert web -p x',
      'asks',
    ],
    // A value before the verb.
    [
      'docker --context prod restart {word}',
      'docker restart web',
      'docker --context prod restart 3f2a',
      'asks',
    ],
    ['docker -H x restart {word}', 'docker restart web', 'docker -H x restart 3f2a', 'asks'],
    [
      'docker --context prod restart {word}',
      'docker stop web',
      'docker --context prod restart 3f2a',
      'allowed',
    ],
    [
      'kubectl --context prod delete {word} {word}',
      'kubectl delete certificate web',
      'kubectl --context prod delete cert web',
      'asks',
    ],
    // Options that the catalog doesn't know, and joined values.
    [
      'docker restart --bogus {service}',
      'docker restart -b web',
      'docker restart --bogus web',
      'asks',
    ],
    ['docker restart {service}', 'docker restart web', 'docker restart api-1', 'allowed'],
    ['journalctl -u{text}', 'journalctl -u web', 'journalctl -uwe?', 'asks'],
    ['journalctl --unit={text}', 'journalctl -u web', 'journalctl --unit=we?', 'asks'],
    ['journalctl [-u {text}]', 'journalctl -u web', 'journalctl -u we?', 'asks'],
    ['journalctl --unit={text}', 'journalctl -u web', 'journalctl --unit=api-1', 'allowed'],
    // Paths, of which the agent's folder decides which file they are.
    [
      'docker compose -f {path under .} restart {word}',
      'docker compose -f deploy/a.yml restart web',
      'docker compose -f a.yml restart web',
      'asks',
    ],
    [
      'docker compose -f {text} restart {word}',
      'docker compose -f ./a.yml restart web',
      'docker compose -f a.yml restart web',
      'asks',
    ],
    [
      'helm upgrade {word} {path under .}',
      'helm upgrade web ./charts/web',
      'helm upgrade web charts/web',
      'asks',
    ],
    ['helm upgrade {word} {text}', 'helm upgrade web chart', 'helm upgrade web ./chart', 'asks'],
    ['helm upgrade {word} {text}', 'helm upgrade web /a/b', 'helm upgrade web /a/../a/b', 'asks'],
    // Programs and commands with two names.
    [
      'docker-compose restart {word}',
      'docker compose restart web',
      'docker-compose restart web',
      'asks',
    ],
    ['redis-cli {word}', 'redis-cli flushall', 'redis-cli FLUSHALL', 'asks'],
  ])('beside %s, %s and the command %s: %s', (allowed, asking, command, expected) => {
    expect(decide({ allowed: [allowed] }, command)).toBe('allowed');
    expect(decide({ allowed: [allowed], askFirst: [asking] }, command)).toBe(expected);
  });
});

it.each<[option: string, denied: string, given: string, 'denied' | 'allowed']>([
  ['-f {path under .}', '-f deploy/a.yml', '-f a.yml', 'denied'],
  ['-f {path under .}', '--file=/agent/deploy/a.yml', '-f a.yml', 'denied'],
  ['--file={path under .}', '-f a.yml', '--file=./a.yml', 'denied'],
  ['-f {path under .}', '-f deploy/b.yml', '-f a.yml', 'allowed'],
  ['-f {path under .}', '-f other/a.yml', '-f ../x/a.yml', 'allowed'],
])('[BND-2.2] a file is the same by any path: %s, %s and %s', (option, denied, given, expected) => {
  const compose = (options: string) => `docker compose ${options} restart web`;
  const lists = { allowed: [compose(option)], denied: [compose(denied)] };
  expect(decide(lists, compose(given))).toBe(expected);
  const helm = (text: string) => `helm upgrade web ${text.replace(/^\S+?[ =]/, '')}`;
  const charts = { allowed: ['helm upgrade web {path under .}'], denied: [helm(denied)] };
  expect(decide(charts, helm(given))).toBe(expected);
});

it('reads a rule once, however many commands are compared with it', () => {
  const restart = rule('docker restart web');
  expect(ruleForm(restart)).toBe(ruleForm(restart));
});

it.each([
  ['docker container:*', 'docker container restart web'],
  ['docker container restart:*', 'docker container restart web'],
  ['kubectl --context prod get:*', 'kubectl --context prod get pods'],
  ['docker --context prod:*', 'docker --context prod ps'],
  ['docker rm:*', 'docker rm web'],
])('%s allows as little as before: not %s', (allowed, command) => {
  expect(decide({ allowed: [allowed] }, command)).toBe('refused');
});
