/**
 * The default rules of tiers 1 and 2 in a sandbox, against the dangerous options of their own programs.
 * Stand-ins outside write down what they were run with: they alone say what ran.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { commandPolicy } from '@/lib/projects/rules/command-policy';
import type { ServiceSpec, StartSpec } from '@/lib/protocol/spec';
import { ALLOWED, FORBIDDEN, PROGRAMS } from '../support/default-rule-forms';
import { answersOf, describeConfined, runCommands, withConfined } from './support';

const SERVICES: ServiceSpec[] = [
  {
    name: 'web',
    checks: [
      { type: 'http', target: 'http://web.example.test/health', timeoutSeconds: 5 },
      { type: 'service', target: 'nginx', timeoutSeconds: 5 },
    ],
  },
];

/**
 * Of a forbidden line, a part that the tier may run all the same: each program is decided alone,
 * however the line starts it, and whatever another one printed.
 */
const HARMLESS: Record<1 | 2, readonly string[]> = {
  1: ['docker ps', 'docker ps ', 'kubectl get pods'],
  2: ['docker ps', 'docker ps ', 'kubectl get pods', 'docker restart web', 'docker ps ran docker'],
};

function tierStart(tier: 1 | 2): Partial<StartSpec> {
  const policy = DEFAULT_TIERS[tier - 1];
  if (!policy) throw new Error(`There is no tier ${tier}.`);
  const { tools, allowedTools, disallowedTools } = policy;
  return {
    tier,
    tools,
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
  });

  it.each([1, 2] as const)('[BND-2.3] tier %d: no dangerous form runs', (tier) =>
    withConfined(cli, async (host) => {
      for (const name of PROGRAMS) await host.addProgram(name, `echo ran ${name}`);
      const secret = path.join(host.outside, 'secret.txt');
      await writeFile(secret, 'the-secret-of-the-host.example\n');
      const forms = FORBIDDEN[tier].map((form) => form.replaceAll('SECRET', secret));
      const attempt = await runCommands(host, forms, tierStart(tier));
      expect(answersOf(attempt)).toHaveLength(forms.length);
      expect((await host.ran()).filter((line) => !HARMLESS[tier].includes(line))).toEqual([]);
      const told = JSON.stringify(host.api.requests.map(({ body }) => body.messages));
      expect(told).not.toContain('the-secret-of-the-host');
    }),
  );

  it.each([1, 2] as const)('[BND-2.3] tier %d: what it is for runs', (tier) =>
    withConfined(cli, async (host) => {
      for (const name of PROGRAMS) await host.addProgram(name, `echo ran ${name}`);
      const forms = ALLOWED[tier];
      const attempt = await runCommands(host, forms, tierStart(tier));
      const silent = answersOf(attempt).flatMap((answer, at) =>
        answer.includes('not run') ? [`${forms[at]}: ${answer}`] : [],
      );
      expect(silent).toEqual([]);
    }),
  );
});
