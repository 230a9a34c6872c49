/** The rules for agents in a sandbox, by the code of the command broker. */
import { describe, expect, it } from 'vitest';
import { isTextTool } from '@/lib/commands/inside';
import { parseCommandRule } from '@/lib/commands/rule';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { CONFINED_ALLOWED, CONFINED_FORBIDDEN } from '@/tests/cli/support/default-rule-forms';
import { defaultRules } from './default-rules';
import { deadAllowRule, deadRefuseRule, shadowWarning } from './rules/problems';
import { brokeredJudge } from './rules/try-brokered';

const TIERS = [1, 2, 3] as const;
const SERVICES: ServiceSpec[] = [
  {
    name: 'shop',
    checks: [
      { type: 'http', target: 'http://web.example.test/health', timeoutSeconds: 5 },
      { type: 'container', target: 'web', timeoutSeconds: 5 },
      { type: 'service', target: 'nginx', timeoutSeconds: 5 },
    ],
  },
];

function judgeOf(tier: (typeof TIERS)[number]) {
  const lists = { tools: ['Bash'], askFirstTools: [], ...defaultRules(tier, 'confined') };
  return brokeredJudge(lists, SERVICES);
}

/** Parts of forbidden lines that are allowed: each program is decided alone. */
const HARMLESS: Record<number, string[]> = {
  1: ['docker ps', 'kubectl get pods'],
  2: ['docker ps', 'kubectl get pods', 'docker restart web'],
  3: ['docker ps', 'kubectl get pods', 'docker restart web'],
};

describe.each(TIERS)('the default rules of tier %d in a sandbox', (tier) => {
  const { allowedTools, disallowedTools } = defaultRules(tier, 'confined');
  const commandRules = allowedTools.filter((rule) => rule.startsWith('Bash'));

  it('[BND-2.1] are argv rules', () => {
    for (const text of [...commandRules, ...disallowedTools]) {
      expect(parseCommandRule(text), text).toMatchObject({ ok: true });
    }
  });

  it('leave no program to the broker that works in the sandbox', () => {
    const rules = [...commandRules, ...disallowedTools];
    const programs = rules.flatMap((text) => {
      const parsed = parseCommandRule(text);
      return parsed.ok ? [parsed.rule.program] : [];
    });
    expect(programs.filter((program) => program === 'git' || isTextTool(program))).toEqual([]);
  });

  it('have no rule without effect', () => {
    const tools = ['Bash', 'Read', 'Grep', 'Write', 'Edit'];
    for (const rule of allowedTools) {
      expect(deadAllowRule(rule, tools)).toBeNull();
      expect(shadowWarning(rule, allowedTools, disallowedTools)).toBeNull();
    }
    expect(disallowedTools.flatMap((rule) => deadRefuseRule(rule) ?? [])).toEqual([]);
  });

  it('[BND-2.3] allow no dangerous form', () => {
    const judge = judgeOf(tier);
    const forms = CONFINED_FORBIDDEN[tier].map((form) => form.replaceAll('SECRET', '/etc/shadow'));
    expect(forms.length).toBeGreaterThan(100);
    const allowed = forms.flatMap((form) =>
      judge
        .ofLine(form)
        .filter(({ verdict }) => verdict === 'allowed')
        .map(({ argv }) => argv.join(' '))
        .filter((argv) => !HARMLESS[tier]?.includes(argv))
        .map((argv) => `${form}: ${argv}`),
    );
    expect(allowed).toEqual([]);
  });

  it('allow what the tier is for', () => {
    const judge = judgeOf(tier);
    const refused = CONFINED_ALLOWED[tier].flatMap((form) =>
      judge
        .ofLine(form)
        .filter(({ verdict, argv }) => verdict !== 'allowed' && !isTextTool(argv[0] ?? ''))
        .map(({ why }) => `${form}: ${why}`),
    );
    // What a loop's variable stands for is known only when it runs.
    expect(refused.filter((each) => !each.includes('$name'))).toEqual([]);
  });

  it('know whether a command changes something', () => {
    const judge = judgeOf(tier);
    const changing = CONFINED_ALLOWED[tier].filter((form) =>
      judge.ofLine(form).some(({ changes }) => changes),
    );
    const expected = CONFINED_ALLOWED[tier].filter((form) =>
      /\b(restart|start|stop|reload|exec|scale|undo|rollback)\b/.test(form),
    );
    expect(changing).toEqual(expected);
  });
});

it('[BND-2.3] in tiers 1 and 2 every option is named', () => {
  for (const tier of [1, 2] as const) {
    const open = defaultRules(tier, 'confined').allowedTools.filter((rule) => rule.includes('*'));
    expect(open).toEqual(
      tier === 1 ? ['Read(//var/log/**)'] : ['Read(//var/log/**)', 'Edit(./**)'],
    );
  }
});
