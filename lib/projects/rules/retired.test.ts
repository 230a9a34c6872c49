/** The rules that projects of earlier versions have, and what becomes of them. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS } from '../default-tiers';
import type { TierPolicy } from '../schema';
import { LEAKING_RULES, leakingRulesOf, withCurrentDefaults, withoutRetiredRules } from './retired';

const READING = [
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
const REMEDIATION = [
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
const FULL = [
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
const REFUSED = [
  'Bash(rm -rf /:*)',
  'Bash(docker system prune:*)',
  'Bash(git push --force:*)',
  'Bash(git push -f:*)',
  'Bash(gh pr merge:*)',
];
const REFUSED_BELOW_3 = [
  'Bash(ansible:*)',
  'Bash(ansible-playbook:*)',
  'Bash(helm:*)',
  'Bash(docker compose down:*)',
];
const REFUSED_IN_1 = [
  'Bash(docker restart:*)',
  'Bash(docker compose restart:*)',
  'Bash(systemctl restart:*)',
  'Bash(gh pr create:*)',
];

const [one, two, three] = DEFAULT_TIERS;
const FORMER: TierPolicy[] = [
  {
    ...one,
    tools: ['Bash', 'Read', 'Grep', 'Glob'],
    allowedTools: READING,
    disallowedTools: [...REFUSED, ...REFUSED_BELOW_3, ...REFUSED_IN_1],
  },
  {
    ...two,
    isEnabled: true,
    tools: ['Bash', 'Read', 'Grep', 'Glob', 'Write', 'Edit'],
    allowedTools: [...READING, 'Edit(./**)', ...REMEDIATION],
    disallowedTools: [...REFUSED, ...REFUSED_BELOW_3],
  },
  {
    ...three,
    tools: ['Bash', 'Read', 'Grep', 'Glob', 'Write', 'Edit'],
    allowedTools: [...READING, ...REMEDIATION, ...FULL],
    disallowedTools: REFUSED,
  },
];

const sorted = (words: readonly string[]) => words.toSorted();

describe('[ENG-5.4] adopting the current default rules', () => {
  it.each([0, 1, 2])('turns the former defaults of tier index %d into the current ones', (at) => {
    const [former, current] = [FORMER[at], DEFAULT_TIERS[at]];
    if (!former || !current) throw new Error('There are three tiers.');
    const adopted = withoutRetiredRules(former);
    expect(sorted(adopted.allowedTools)).toEqual(sorted(current.allowedTools));
    expect(sorted(adopted.disallowedTools)).toEqual(sorted(current.disallowedTools));
    expect(adopted.tools).toEqual(current.tools);
  });

  it('keeps the rules of the project, and refuses none of them', () => {
    const own = ['Bash(ansible:*)', 'Bash(./check.sh)'];
    const policy = { ...two, allowedTools: ['Bash(dig:*)', ...own], disallowedTools: [] };
    const adopted = withoutRetiredRules(policy);
    expect(adopted.allowedTools).toEqual(['Bash(dig {host})', 'Bash(dig +short {host})', ...own]);
    expect(adopted.disallowedTools).not.toContain('Bash(ansible:*)');
    expect(adopted.disallowedTools).toContain('Bash(helm:*)');
  });

  it('covers every tier of a project', () => {
    const [first, second, third] = FORMER as [TierPolicy, TierPolicy, TierPolicy];
    expect(withCurrentDefaults([first, second, third])).toEqual(FORMER.map(withoutRetiredRules));
  });

  it('changes nothing where no rule is retired', () => {
    for (const policy of DEFAULT_TIERS) expect(withoutRetiredRules(policy)).toBe(policy);
  });
});

describe('[ENG-5.4] the rules a project is warned about', () => {
  it('are those of tiers 1 and 2 that are switched on', () => {
    expect(leakingRulesOf(FORMER).map(({ tier }) => tier)).toEqual([1, 2]);
    expect(leakingRulesOf(FORMER)[0]?.rules).toContain('Bash(dig:*)');
    expect(leakingRulesOf(FORMER)[1]?.rules).toContain('Bash(git push -u origin:*)');
    const observing = FORMER.map((policy) => ({ ...policy, isEnabled: policy.tier === 1 }));
    expect(leakingRulesOf(observing).map(({ tier }) => tier)).toEqual([1]);
  });

  it('are no longer there once the current ones are adopted', () => {
    expect(leakingRulesOf(FORMER.map(withoutRetiredRules))).toEqual([]);
    const current = DEFAULT_TIERS.map((policy) => ({ ...policy, isEnabled: true }));
    expect(leakingRulesOf(current)).toEqual([]);
    expect(LEAKING_RULES).not.toContain('Bash(docker restart:*)');
  });
});
