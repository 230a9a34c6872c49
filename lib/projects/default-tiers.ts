/**
 * What the tiers of a new project may do. The allow lists hold, because the CLI runs in a mode
 * in which everything else is refused; the deny lists only catch slips, since a command can be
 * spelled in ways that they miss.
 */
import type { TierPolicy } from './schema';

/**
 * Rules of one program each, without options that read a file, write one, reach another host or
 * start something else. Several programs take such options anywhere on the line (`dig -f`,
 * `kubectl --kubeconfig`, `journalctl --vacuum-time`, `systemctl -H`), so their rules name the whole
 * command. `docker ps` and its like take theirs only in front of the verb.
 */
const READ_ONLY_RULES = [
  // The work directory can be read without a rule; plain `Read` would be the whole disk.
  'Read(//var/log/**)',
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
  'Bash(kubectl logs deployment/{service} --tail=200)',
  'Bash(kubectl rollout status deployment/{service} --timeout=60s)',
  'Bash(gh pr list)',
  'Bash(gh run list)',
  'Bash(ping -c 3 {host})',
  'Bash(dig {host})',
  'Bash(dig +short {host})',
];

/** Tier 3 may look at everything in its cluster instead. */
const CLUSTER_RULES = [
  'Bash(kubectl get pods)',
  'Bash(kubectl get pods -o wide)',
  'Bash(kubectl get deployments)',
  'Bash(kubectl get events)',
  'Bash(kubectl describe deployment {service})',
];

/** Covers Write, too. Relative to the work directory: plain `Edit` would be the whole disk. */
const EDIT_IN_WORK_DIR = 'Edit(./**)';

/** The branch that tier 2 proposes changes on. */
const FIX_BRANCH = 'tierwatch-fix';

/** Without the repository's hooks, which can be files of the work directory. */
const GIT = 'git -c core.hooksPath=/dev/null';

const SAFE_REMEDIATION_RULES = [
  'Bash(docker restart {service})',
  'Bash(docker start {service})',
  'Bash(docker compose restart {service})',
  'Bash(systemctl restart {service})',
  'Bash(systemctl start {service})',
  'Bash(systemctl reload {service})',
  'Bash(kubectl rollout restart deployment/{service})',
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
const FULL_REMEDIATION_RULES = [
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

const REFUSED_EVERYWHERE = [
  'Bash(rm -rf /:*)',
  'Bash(docker system prune:*)',
  'Bash(git push --force:*)',
  'Bash(git push -f:*)',
  'Bash(gh pr merge:*)',
];

const REFUSED_BELOW_TIER_3 = [
  'Bash(ansible:*)',
  'Bash(ansible-playbook:*)',
  'Bash(helm:*)',
  'Bash(docker compose down:*)',
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

const REFUSED_IN_TIER_1 = [
  'Bash(docker restart:*)',
  'Bash(docker compose restart:*)',
  'Bash(systemctl restart:*)',
  'Bash(gh pr create:*)',
];

/** Without Glob, which CLI 2.1.197 lets list names outside the work directory. */
const READ_TOOLS = ['Bash', 'Read', 'Grep'];
const WRITE_TOOLS = [...READ_TOOLS, 'Write', 'Edit'];

/**
 * Tiers 1, 2 and 3. Only tier 1 is on until someone allows the others. The models are those of the
 * agent in `default-config.ts`; `withAgent` replaces them for another one.
 */
export const DEFAULT_TIERS: [TierPolicy, TierPolicy, TierPolicy] = [
  {
    tier: 1,
    isEnabled: true,
    model: 'haiku',
    tools: READ_TOOLS,
    allowedTools: [...READ_ONLY_RULES, ...CLUSTER_RULES],
    disallowedTools: [...REFUSED_EVERYWHERE, ...REFUSED_BELOW_TIER_3, ...REFUSED_IN_TIER_1],
    askFirstTools: [],
    requiresApproval: false,
    isolation: 'off',
    prompt: null,
    timeoutSeconds: 300,
    stallSeconds: 180,
    maxTurns: 40,
    maxBudgetUsd: 1,
    contextWindow: null,
  },
  {
    tier: 2,
    isEnabled: false,
    model: 'sonnet',
    tools: WRITE_TOOLS,
    allowedTools: [
      ...READ_ONLY_RULES,
      ...CLUSTER_RULES,
      EDIT_IN_WORK_DIR,
      ...SAFE_REMEDIATION_RULES,
    ],
    disallowedTools: [...REFUSED_EVERYWHERE, ...REFUSED_BELOW_TIER_3],
    askFirstTools: [],
    requiresApproval: false,
    isolation: 'off',
    prompt: null,
    timeoutSeconds: 600,
    stallSeconds: 180,
    maxTurns: 80,
    maxBudgetUsd: 5,
    contextWindow: null,
  },
  {
    tier: 3,
    isEnabled: false,
    model: 'opus',
    tools: WRITE_TOOLS,
    allowedTools: [
      ...READ_ONLY_RULES,
      EDIT_IN_WORK_DIR,
      ...SAFE_REMEDIATION_RULES,
      ...FULL_REMEDIATION_RULES,
    ],
    disallowedTools: REFUSED_EVERYWHERE,
    askFirstTools: [],
    requiresApproval: false,
    isolation: 'off',
    prompt: null,
    timeoutSeconds: 1_200,
    stallSeconds: 180,
    maxTurns: 150,
    maxBudgetUsd: 20,
    contextWindow: null,
  },
];
