/** The largest project that the manual promises: 100 services, each with a container and a unit. */
import { expect, it } from 'vitest';
import { claudeCommand } from '@/lib/agents/claude/command';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { callBash, reportBack } from '../support/messages-api/reply';
import { tierStart } from './support/cli-host';
import { describeCli } from './support/describe-cli';

const name = (at: number) => `warehouse-inventory-reconciliation-worker-${at}`;
const SERVICES = Array.from({ length: 100 }, (_, at): ServiceSpec => {
  const check = { timeoutSeconds: 5 };
  return {
    name: name(at),
    checks: [
      { ...check, type: 'container', target: `shop-${name(at)}-1` },
      { ...check, type: 'service', target: `${name(at)}.service` },
    ],
  };
});

const MAX_ARGUMENT_BYTES = 4_000;

describeCli('a project with 100 services', (withBench) => {
  it.each([
    [1, 'systemctl status', 'docker restart'],
    [2, 'docker restart', 'docker stop'],
    [3, 'systemctl stop', 'docker volume rm'],
  ] as const)('[HLD-3.5] starts tier %d, which may %s and not %s', (tier, may, mayNot) => {
    const isUnit = may.startsWith('systemctl');
    const target = (at: number) => (isUnit ? `${name(at)}.service` : `shop-${name(at)}-1`);
    const script = [
      ...[callBash(`${may} ${target(0)}`), callBash(`${may} ${target(99)}`)],
      ...[callBash(`${may} other`), callBash(`${mayNot} ${target(0)}`)],
      reportBack({ summary: 'done' }),
    ];
    return withBench(script, async ({ host, run }) => {
      for (const program of ['docker', 'systemctl']) await host.addProgram(program);
      const { allowedTools } = DEFAULT_TIERS[tier - 1] ?? DEFAULT_TIERS[0];
      const start = tierStart(tier, { allowedRules: expandRules(allowedTools, SERVICES) });
      expect(start.allowedRules.join().length).toBeGreaterThan(60_000);
      const { args, env } = claudeCommand(start, host.layout);
      const sizes = [...args, ...Object.values(env)].map((text) => Buffer.byteLength(text));
      expect(Math.max(...sizes)).toBeLessThan(MAX_ARGUMENT_BYTES);
      const { events } = await run(start);
      const calls = events.filter((event) => event.kind === 'tool_result').slice(0, -1);
      expect(calls.map(({ denied }) => denied)).toEqual([false, false, true, true]);
    });
  });
});
