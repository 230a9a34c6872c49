import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS } from './default-tiers';
import { tierPolicySchema } from './schema';

const [one, two, three] = DEFAULT_TIERS;

describe('default tiers', () => {
  it('are valid policies with the models and time limits of the product', () => {
    for (const policy of DEFAULT_TIERS) expect(tierPolicySchema.parse(policy)).toEqual(policy);
    expect(DEFAULT_TIERS.map((tier) => [tier.tier, tier.model, tier.timeoutSeconds])).toEqual([
      [1, 'haiku', 300],
      [2, 'sonnet', 600],
      [3, 'opus', 1_200],
    ]);
  });

  it('only tier 1 is on', () => {
    expect(DEFAULT_TIERS.map((tier) => tier.isEnabled)).toEqual([true, false, false]);
  });

  it('[HND-3.1] no tier is given a tool that starts sub-agents', () => {
    for (const { tools, allowedTools } of DEFAULT_TIERS) {
      expect(tools).not.toContain('Task');
      expect(tools).not.toContain('Agent');
      expect(allowedTools.join()).not.toMatch(/\b(Task|Agent)\b/);
    }
  });

  it('tier 1 neither writes nor restarts', () => {
    expect(one.tools).toEqual(['Bash', 'Read', 'Grep']);
    expect(one.allowedTools.join()).not.toMatch(/restart|start:|Write|Edit|create|apply|exec|curl/);
  });

  it('tier 2 gains Write, Edit and the safe remedies', () => {
    expect(two.tools).toEqual([...one.tools, 'Write', 'Edit']);
    expect(two.allowedTools).toEqual(
      expect.arrayContaining([
        'Bash(docker restart {service})',
        'Bash(systemctl restart {service})',
        'Bash(gh pr create --fill)',
      ]),
    );
  });

  it('nothing that tier 2 is allowed lets it run anything it likes', () => {
    expect(two.allowedTools).not.toContain('Bash');
    expect(two.allowedTools.join()).not.toMatch(
      /\((sh|bash|env|python3?|node|ssh|xargs|ansible)\b/,
    );
  });

  it('[ENG-5.4] tiers 1 and 2 leave options open only to programs whose options change nothing', () => {
    const open = [...one.allowedTools, ...two.allowedTools].filter((rule) => rule.includes('*'));
    expect([...new Set(open)]).toEqual([
      'Read(//var/log/**)',
      ...['ps', 'logs', 'inspect', 'images', 'stats --no-stream', 'compose ps', 'compose logs'].map(
        (verb) => `Bash(docker ${verb}:*)`,
      ),
      'Edit(./**)',
    ]);
  });

  it('no tier both allows and refuses a command', () => {
    for (const { allowedTools, disallowedTools } of DEFAULT_TIERS) {
      expect(allowedTools.filter((rule) => disallowedTools.includes(rule))).toEqual([]);
    }
    expect(three.allowedTools).toContain('Bash(ansible-playbook:*)');
  });
});
