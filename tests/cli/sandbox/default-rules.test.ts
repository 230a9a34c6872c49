/**
 * The default rules in a sandbox, against the dangerous options of their own programs: the rules for
 * agents in a sandbox, and those that the CLI understands, which a project keeps when someone turns its
 * isolation on. Stand-ins outside write down what they were run with: they alone say what ran.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultRules } from '@/lib/projects/default-rules';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { commandPolicy } from '@/lib/projects/rules/command-policy';
import type { Isolation } from '@/lib/protocol/confinement';
import type { ServiceSpec, StartSpec, Tier } from '@/lib/protocol/spec';
import {
  ALLOWED,
  CONFINED_ALLOWED,
  CONFINED_FORBIDDEN,
  FORBIDDEN,
  PROGRAMS,
} from '../support/default-rule-forms';
import { describeConfined, runManyLines, withConfined } from './support';

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

interface Case {
  rules: string;
  tier: Tier;
  /** Whose rules they are; the agent itself always is in a sandbox here. */
  isolation: Isolation;
  allowed: string[];
  forbidden: string[];
}

const CASES: Case[] = [
  ...([1, 2] as const).map((tier) => {
    const forms = { allowed: ALLOWED[tier], forbidden: FORBIDDEN[tier] };
    return { rules: 'the CLI’s rules', tier, isolation: 'open' as const, ...forms };
  }),
  ...([1, 2, 3] as const).map((tier) => {
    const forms = { allowed: CONFINED_ALLOWED[tier], forbidden: CONFINED_FORBIDDEN[tier] };
    return { rules: 'the sandbox’s rules', tier, isolation: 'confined' as const, ...forms };
  }),
];

const RESTARTING = ['docker restart web', 'docker ps ran docker'];

/**
 * Of a forbidden line, a part that the tier may run all the same: each program is decided alone,
 * however the line starts it, and whatever another one printed.
 */
const HARMLESS: Record<Tier, readonly string[]> = {
  1: ['docker ps', 'docker ps ', 'kubectl get pods'],
  2: ['docker ps', 'docker ps ', 'kubectl get pods', ...RESTARTING],
  3: ['docker ps', 'docker ps ', 'kubectl get pods', ...RESTARTING],
};

function tierStart({ tier, isolation }: Case): Partial<StartSpec> {
  const { allowedTools, disallowedTools } = defaultRules(tier, isolation);
  return {
    tier,
    tools: DEFAULT_TIERS[tier - 1]?.tools ?? [],
    allowedRules: allowedTools,
    disallowedRules: disallowedTools,
    commands: commandPolicy(
      { allowed: allowedTools, denied: disallowedTools, askFirst: [] },
      SERVICES,
    ),
  };
}

describeConfined('the default rules in a sandbox', (cli) => {
  it('[BND-2.3] are tried with more than 100 forms', () => {
    expect(new Set(Object.values(FORBIDDEN).flat()).size).toBeGreaterThan(100);
    for (const forms of Object.values(CONFINED_FORBIDDEN)) {
      expect(new Set(forms).size).toBeGreaterThan(150);
    }
  });

  it.each(CASES)('[BND-2.3] $rules of tier $tier: no dangerous form runs', (each) =>
    withConfined(cli, async (host) => {
      for (const name of PROGRAMS) await host.addProgram(name, `echo ran ${name}`);
      const secret = path.join(host.outside, 'secret.txt');
      await writeFile(secret, 'the-secret-of-the-host.example\n');
      const forms = each.forbidden.map((form) => form.replaceAll('SECRET', secret));
      await runManyLines(host, forms, tierStart(each));
      expect((await host.ran()).filter((line) => !HARMLESS[each.tier].includes(line))).toEqual([]);
      const told = JSON.stringify(host.api.requests.map(({ body }) => body.messages));
      expect(told).not.toContain('the-secret-of-the-host');
    }),
  );

  it.each(CASES)('[BND-2.3] $rules of tier $tier: what it is for runs', (each) =>
    withConfined(cli, async (host) => {
      for (const name of PROGRAMS) await host.addProgram(name, `echo ran ${name}`);
      const { answers } = await runManyLines(host, each.allowed, tierStart(each));
      const refused = answers.flatMap((answer, at) =>
        answer.includes('not run') ? [`${each.allowed[at]}: ${answer}`] : [],
      );
      expect(refused).toEqual([]);
      const programs = each.allowed.map((form) => /^(for .* do )?(\w+)/.exec(form)?.[2] ?? '');
      const ran = (await host.ran()).map((line) => line.split(' ')[0]);
      expect(new Set(ran)).toEqual(new Set(programs));
    }),
  );
});
