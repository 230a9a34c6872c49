/**
 * What the tiers of a new project may do. The allow lists hold, because the CLI runs in a mode
 * in which everything else is refused; the deny lists only catch slips, since a command can be
 * spelled in ways that they miss.
 */
import type { TierPolicy } from './schema';

/** The work directory can be read without a rule; plain `Read` would be the whole disk. */
const READ_ONLY_RULES = [
  'Read(//var/log/**)',
  'Bash(docker ps:*)',
  'Bash(docker logs:*)',
  'Bash(docker inspect:*)',
  'Bash(docker images:*)',
  'Bash(docker stats --no-stream:*)',
  'Bash(docker compose ps:*)',
  'Bash(docker compose logs:*)',
  'Bash(systemctl status:*)',
  'Bash(systemctl is-active:*)',
  'Bash(systemctl show:*)',
  'Bash(journalctl -u:*)',
  'Bash(journalctl -n:*)',
  'Bash(kubectl get:*)',
  'Bash(kubectl describe:*)',
  'Bash(kubectl logs:*)',
  'Bash(gh pr list:*)',
  'Bash(gh pr view:*)',
  'Bash(gh run list:*)',
  'Bash(gh run view:*)',
  'Bash(ping -c:*)',
  'Bash(dig:*)',
];

/** Covers Write, too. Relative to the work directory: plain `Edit` would be the whole disk. */
const EDIT_IN_WORK_DIR = 'Edit(./**)';

const SAFE_REMEDIATION_RULES = [
  'Bash(docker restart:*)',
  'Bash(docker start:*)',
  'Bash(docker compose restart:*)',
  'Bash(docker compose up -d:*)',
  'Bash(systemctl restart:*)',
  'Bash(systemctl start:*)',
  'Bash(systemctl reload:*)',
  'Bash(kubectl rollout restart:*)',
  'Bash(kubectl rollout status:*)',
  'Bash(git add:*)',
  'Bash(git commit:*)',
  'Bash(git checkout -b:*)',
  'Bash(git push -u origin:*)',
  'Bash(gh pr create:*)',
];

const FULL_REMEDIATION_RULES = [
  'Write',
  'Edit',
  'Bash(docker compose:*)',
  'Bash(docker stop:*)',
  'Bash(docker pull:*)',
  'Bash(docker exec:*)',
  'Bash(ansible:*)',
  'Bash(ansible-playbook:*)',
  'Bash(helm:*)',
  'Bash(kubectl apply:*)',
  'Bash(kubectl scale:*)',
  'Bash(kubectl rollout undo:*)',
  'Bash(systemctl stop:*)',
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
];

const REFUSED_IN_TIER_1 = [
  'Bash(docker restart:*)',
  'Bash(docker compose restart:*)',
  'Bash(systemctl restart:*)',
  'Bash(gh pr create:*)',
];

const READ_TOOLS = ['Bash', 'Read', 'Grep', 'Glob'];
const WRITE_TOOLS = [...READ_TOOLS, 'Write', 'Edit'];

/** Tiers 1, 2 and 3. Only tier 1 is on until someone allows the others. */
export const DEFAULT_TIERS: [TierPolicy, TierPolicy, TierPolicy] = [
  {
    tier: 1,
    isEnabled: true,
    model: 'haiku',
    tools: READ_TOOLS,
    allowedTools: READ_ONLY_RULES,
    disallowedTools: [...REFUSED_EVERYWHERE, ...REFUSED_BELOW_TIER_3, ...REFUSED_IN_TIER_1],
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
    allowedTools: [...READ_ONLY_RULES, EDIT_IN_WORK_DIR, ...SAFE_REMEDIATION_RULES],
    disallowedTools: [...REFUSED_EVERYWHERE, ...REFUSED_BELOW_TIER_3],
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
    allowedTools: [...READ_ONLY_RULES, ...SAFE_REMEDIATION_RULES, ...FULL_REMEDIATION_RULES],
    disallowedTools: REFUSED_EVERYWHERE,
    prompt: null,
    timeoutSeconds: 1_200,
    stallSeconds: 180,
    maxTurns: 150,
    maxBudgetUsd: 20,
    contextWindow: null,
  },
];
