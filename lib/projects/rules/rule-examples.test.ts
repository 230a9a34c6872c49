import { describe, expect, it } from 'vitest';
import { offeredPrograms } from './catalog-offer';
import { ruleExamples } from './rule-examples';

const split = (text: string) => {
  const examples = ruleExamples(text);
  const commands = (isAllowed: boolean) =>
    examples.flatMap(({ command, refusal }) => ((refusal === null) === isAllowed ? command : []));
  return { allowed: commands(true), refused: commands(false) };
};

describe('[BND-2.1] examples of a rule', () => {
  it('are what the broker decides', () => {
    expect(split('Bash(docker restart [--time {int}] {service})')).toEqual({
      allowed: ['docker restart web', 'docker restart web --time 20'],
      refused: expect.arrayContaining(['docker restart web web']),
    });
  });

  it('show what an open rule adds, and which options it never accepts', () => {
    const { allowed, refused } = split('Bash(systemctl status:*)');
    expect(allowed).toEqual([
      'systemctl status',
      'systemctl status --no-pager',
      'systemctl status web',
    ]);
    expect(refused).toEqual(['systemctl status -H']);
  });

  it.each(['Bash', 'Read(./**)', 'Bash(*docker*)', 'Bash(/bin/df)', ''])(
    'are none of %j',
    (rule) => {
      expect(ruleExamples(rule)).toEqual([]);
    },
  );
});

describe('[BND-2.1] the offered programs', () => {
  const programs = offeredPrograms();
  const verbs = programs.flatMap((program) => program.verbs);

  it('name verbs, what they do, harmless options and dangerous ones', () => {
    const systemctl = programs.find(({ program }) => program === 'systemctl');
    expect(systemctl?.verbs).toContainEqual({
      command: 'systemctl is-active',
      about: 'says whether units run',
      changes: false,
      risk: null,
      options: ['-q, --quiet'],
      rule: 'Bash(systemctl is-active:*)',
    });
    expect(systemctl?.dangers).toContainEqual({
      option: '--host',
      does: 'reaches another host by ssh',
    });
  });

  it('offer rules that the broker can use, and open ones only for verbs that read', () => {
    for (const { rule, changes } of verbs) {
      expect(ruleExamples(rule), rule).not.toEqual([]);
      expect(rule.includes(':*'), rule).toBe(!changes);
    }
  });
});
