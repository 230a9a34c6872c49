/**
 * What the tiers of a new project may run. There are two sets of rules: one that the agent's CLI
 * understands, and one for confined projects, where the command broker compares arguments.
 */
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import type { TierPolicy } from './schema';

type Rules = Pick<TierPolicy, 'allowedTools' | 'disallowedTools'>;

/** Returns a tier's default rules. Those of `open` also suit a sandbox, except what needs a folder. */
export function defaultRules(tier: Tier, isolation: Isolation): Rules {
  return isolation === 'confined' ? confinedRules(tier) : unconfinedRules(tier);
}

/** Covers Write, too. Relative to the work directory: plain `Edit` would be the whole disk. */
const EDIT_IN_WORK_DIR = 'Edit(./**)';

/** The work directory can be read without a rule; plain `Read` would be the whole disk. */
const READ_LOGS = 'Read(//var/log/**)';

/** Rules that mean the same to the CLI and to the broker. */
const REACHABILITY = ['Bash(ping -c 3 {host})', 'Bash(dig {host})', 'Bash(dig +short {host})'];
const UNIT_RESTARTS = [
  'Bash(systemctl restart {service})',
  'Bash(systemctl start {service})',
  'Bash(systemctl reload {service})',
];

// For the CLI. Its allow lists hold, because it runs in a mode in which everything else is refused;
// its deny lists only catch slips, since a command can be spelled in ways that they miss.

/**
 * Rules of one program each, without options that read a file, write one, reach another host or
 * start something else. Several programs take such options anywhere on the line (`dig -f`,
 * `kubectl --kubeconfig`, `journalctl --vacuum-time`, `systemctl -H`), so their rules name the whole
 * command. `docker ps` and its like take theirs only in front of the verb.
 */
const READING = [
  READ_LOGS,
  'Bash(docker ps:*)',
  'Bash(docker logs:*)',
  'Bash(docker inspect:*)',
  'Bash(docker images:*)',
  'Bash(docker stats --no-stream:*)',
  'Bash(docker compose ps:*)',
  'Bash(docker compose logs:*)',
  'Bash(systemctl status {service})',
  'Bash(systemctl status {service} --no-pager)',
  'Bash(systemctl is-active {service})',
  'Bash(systemctl show {service})',
  'Bash(systemctl --failed)',
  'Bash(journalctl -u {service} -n 100 --no-pager)',
  'Bash(journalctl -u {service} -n 1000 --no-pager)',
  'Bash(journalctl -p err -n 100 --no-pager)',
  'Bash(gh pr list)',
  'Bash(gh run list)',
  ...REACHABILITY,
];

/** Tier 3 may look at everything in its cluster instead. */
const CLUSTER_READING = [
  'Bash(kubectl get pods)',
  'Bash(kubectl get pods -o wide)',
  'Bash(kubectl get deployments)',
  'Bash(kubectl get events)',
];

/** The branch that tier 2 proposes changes on. */
const FIX_BRANCH = 'tierwatch-fix';

/** Without the repository's hooks, which can be files of the work directory. */
const GIT = 'git -c core.hooksPath=/dev/null';

const SAFE_REMEDIATION = [
  'Bash(docker restart {service})',
  'Bash(docker start {service})',
  ...UNIT_RESTARTS,
  `Bash(${GIT} checkout -b ${FIX_BRANCH})`,
  'Bash(git add -A)',
  `Bash(${GIT} commit -m "Fix proposed by Tierwatch")`,
  `Bash(${GIT} push -u origin ${FIX_BRANCH})`,
  'Bash(gh pr create --fill)',
];

/**
 * Full remediation is as wide as its programs: Ansible, Helm and `docker exec` run what they are
 * told. Files are changed in the work directory; a project adds the folders of its own services.
 */
const FULL_REMEDIATION = [
  'Bash(docker compose up -d:*)',
  'Bash(docker compose stop:*)',
  'Bash(docker compose start:*)',
  'Bash(docker compose pull:*)',
  'Bash(docker compose down:*)',
  'Bash(docker stop:*)',
  'Bash(docker pull:*)',
  'Bash(docker exec:*)',
  'Bash(ansible:*)',
  'Bash(ansible-playbook:*)',
  'Bash(helm:*)',
  'Bash(kubectl get:*)',
  'Bash(kubectl describe:*)',
  'Bash(kubectl apply:*)',
  'Bash(kubectl scale:*)',
  'Bash(kubectl rollout undo:*)',
  'Bash(systemctl stop {service})',
];

const PROGRAMS_OF_TIER_3 = ['Bash(ansible:*)', 'Bash(ansible-playbook:*)', 'Bash(helm:*)'];
const COMPOSE_DOWN = 'Bash(docker compose down:*)';

const DENIED = [
  'Bash(rm -rf /:*)',
  'Bash(docker system prune:*)',
  'Bash(git push --force:*)',
  'Bash(git push -f:*)',
  'Bash(gh pr merge:*)',
];

const DENIED_BELOW_TIER_3 = [
  ...PROGRAMS_OF_TIER_3,
  COMPOSE_DOWN,
  // Docker Compose starts what these files say, as root, and prints lines of the files they name.
  'Edit(**/*compose*.y*ml)',
  'Edit(**/.env*)',
  // The CLI runs these without a rule, although they print any file.
  ...['cmp', 'comm', 'expand', 'fmt', 'fold', 'pr', 'rev', 'tac', 'tsort', 'unexpand'].map(
    (program) => `Bash(${program}:*)`,
  ),
  'Bash(wc *--f*)',
  'Bash(du *--f*)',
];

const DENIED_IN_TIER_1 = [
  'Bash(docker restart:*)',
  'Bash(docker compose restart:*)',
  'Bash(systemctl restart:*)',
  'Bash(gh pr create:*)',
];

function unconfinedRules(tier: Tier): Rules {
  switch (tier) {
    case 1:
      return {
        allowedTools: [...READING, ...CLUSTER_READING],
        disallowedTools: [...DENIED, ...DENIED_BELOW_TIER_3, ...DENIED_IN_TIER_1],
      };
    case 2:
      return {
        allowedTools: [...READING, ...CLUSTER_READING, EDIT_IN_WORK_DIR, ...SAFE_REMEDIATION],
        disallowedTools: [...DENIED, ...DENIED_BELOW_TIER_3],
      };
    case 3:
      return {
        allowedTools: [...READING, EDIT_IN_WORK_DIR, ...SAFE_REMEDIATION, ...FULL_REMEDIATION],
        disallowedTools: DENIED,
      };
  }
}

// For the broker, which refuses every option that a rule doesn't name. Commands run in an empty folder,
// without input, so nothing here needs a repository, a compose file or a chart.

/**
 * `-p` is how Compose finds a project by the labels of its containers, without a file. Which project
 * that is can't be known here, so these rules only read.
 */
const COMPOSE = 'docker compose -p {word}';

const CONFINED_READING = [
  READ_LOGS,
  'Bash(docker ps [-a] [--all] [-q] [--no-trunc] [--filter {text}] [--format {text}])',
  'Bash(docker logs [--tail {int}] [-n {int}] [--since {time}] [--until {time}] [-t] {word})',
  // It shows the environment of a container, which often contains passwords.
  'Bash(docker inspect [--format {text}] {service})',
  'Bash(docker images [--format {text}])',
  'Bash(docker stats --no-stream [--format {text}])',
  'Bash(docker compose ls [-a] [--all])',
  `Bash(${COMPOSE} ps [-a] [--all] [--format json])`,
  `Bash(${COMPOSE} logs [--tail {int}] [--since {time}] [--timestamps] [--no-color] {word})`,
  'Bash(systemctl status [--no-pager] [-l] [-n {int}] {service})',
  'Bash(systemctl is-active {service})',
  'Bash(systemctl show [--no-pager] {service})',
  'Bash(systemctl list-units --failed [--no-pager])',
  'Bash(journalctl -u {service} [-n {int}] [-p {word}] [--since {time}] [--until {time}] [--no-pager])',
  'Bash(journalctl -p err [-n {int}] [--since {time}] [--until {time}] [--no-pager])',
  ...REACHABILITY,
];

const CONFINED_CLUSTER_READING = [
  'Bash(kubectl get pods [-o wide] [--show-labels])',
  'Bash(kubectl get deployments [-o wide])',
  'Bash(kubectl get events [--sort-by {text}])',
];

const CONFINED_SAFE_REMEDIATION = [
  'Bash(docker restart [-t {int}] {service})',
  'Bash(docker start {service})',
  ...UNIT_RESTARTS,
];

/**
 * Nothing that starts what a file says, since the agent can write the file: `docker compose up` and
 * `kubectl apply` would give it every right on the host. So there is no `docker compose down` or
 * `docker pull` either: nothing here could bring a new container up.
 */
const CONFINED_FULL_REMEDIATION = [
  'Bash(docker stop [-t {int}] {service})',
  'Bash(docker exec {service}:*)',
  'Bash(systemctl stop {service})',
  'Bash(kubectl get:*)',
  'Bash(kubectl describe:*)',
  'Bash(helm list)',
  'Bash(helm status {word})',
  'Bash(helm history {word})',
  'Bash(helm rollback [--wait] {word} {int})',
];

/**
 * For rules that a project adds: they deny a command with any options between its words. No rule names
 * git, because the broker takes over every program that a rule names, and git works in the sandbox.
 */
const CONFINED_DENIED = ['Bash(docker system prune:*)', 'Bash(gh pr merge:*)'];
const CONFINED_DENIED_BELOW_TIER_3 = [...PROGRAMS_OF_TIER_3, COMPOSE_DOWN];

function confinedRules(tier: Tier): Rules {
  switch (tier) {
    case 1:
      return {
        allowedTools: [...CONFINED_READING, ...CONFINED_CLUSTER_READING],
        disallowedTools: [...CONFINED_DENIED, ...CONFINED_DENIED_BELOW_TIER_3, ...DENIED_IN_TIER_1],
      };
    case 2:
      return {
        allowedTools: [
          ...CONFINED_READING,
          ...CONFINED_CLUSTER_READING,
          EDIT_IN_WORK_DIR,
          ...CONFINED_SAFE_REMEDIATION,
        ],
        disallowedTools: [...CONFINED_DENIED, ...CONFINED_DENIED_BELOW_TIER_3],
      };
    case 3:
      return {
        allowedTools: [
          ...CONFINED_READING,
          EDIT_IN_WORK_DIR,
          ...CONFINED_SAFE_REMEDIATION,
          ...CONFINED_FULL_REMEDIATION,
        ],
        disallowedTools: CONFINED_DENIED,
      };
  }
}
