import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { DEFAULT_INCIDENTS, type MonitoringSettings, NO_MONITORING } from '../monitoring-settings';
import { DEFAULT_CONFIG } from '../new-project';
import { type DemoServiceName, type DemoServices, demoServiceNameSchema } from './schema';

const STATUS_RULE = 'Bash(democtl status)';
const RESTART_RULE = 'Bash(democtl restart {service})';
const REPAIR_RULE = 'Bash(democtl repair-config {service})';

/** What the web service's check asks, which is how a sample project is recognized. */
export function demoHealthUrl({ web }: DemoServices): string {
  return `http://127.0.0.1:${web.port}/health`;
}

/** Of the seeded demo: an outage is noticed within a minute. */
export const DEMO_MONITORING: MonitoringSettings = {
  everySeconds: 30,
  failures: 2,
  lastResults: 3,
};

/**
 * Returns the configuration of a demo project: its three services, and what each tier may do to them.
 *
 * @param isolation how its agents run; what the pool's runners can do decides
 * @param monitoring how its checks run without an agent; off for a project whose page leads from one chain
 *   to the next
 */
export function demoProjectConfig(
  services: DemoServices,
  isolation: Isolation,
  runnerPool = 'default',
  monitoring: MonitoringSettings = NO_MONITORING,
): ProjectConfig {
  const { web, api, db } = services;
  return {
    ...DEFAULT_CONFIG,
    harness: 'demo',
    isolation,
    monitoring,
    // Whoever watches the demo sees a fix verified soon.
    incidents: { ...DEFAULT_INCIDENTS, verifySeconds: 60 },
    schedule: { kind: 'interval', everySeconds: 600, timeZone: 'UTC' },
    services: [
      {
        name: 'web',
        checks: [
          check('http', demoHealthUrl(services), { expectText: 'ok' }),
          check('process', web.pidFile),
        ],
      },
      {
        name: 'api',
        checks: [
          check('http', `http://127.0.0.1:${api.port}/health`),
          check('tcp', `127.0.0.1:${api.port}`),
        ],
      },
      {
        name: 'db',
        checks: [
          check('tcp', `127.0.0.1:${db.port}`),
          check('dns', 'localhost'),
          check('process', db.pidFile),
        ],
      },
    ],
    tiers: [
      tier(1, 'haiku', [STATUS_RULE], 300, 0.5),
      tier(2, 'sonnet', [STATUS_RULE, RESTART_RULE], 600, 1),
      tier(3, 'opus', [STATUS_RULE, RESTART_RULE, REPAIR_RULE], 1_200, 2),
    ],
    maxTier: 3,
    cooldowns: [{ action: 'restart', limit: 20, windowSeconds: 3_600 }],
    budgets: { chainUsd: 5, dayUsd: 50, monthUsd: 500 },
    instructions:
      'Demo services on this machine. "democtl status", "democtl restart <service>" and "democtl repair-config <service>" look after them.',
    runnerPool,
  };
}

function check(type: CheckSpec['type'], target: string, more: Partial<CheckSpec> = {}): CheckSpec {
  return { type, target, timeoutSeconds: 5, ...more };
}

function tier(
  number: TierPolicy['tier'],
  model: string,
  allowedTools: string[],
  timeoutSeconds: number,
  maxBudgetUsd: number,
): TierPolicy {
  return {
    tier: number,
    isEnabled: true,
    model,
    tools: ['Bash', 'Read'],
    allowedTools,
    disallowedTools: [],
    askFirstTools: [],
    requiresApproval: false,
    prompt: null,
    timeoutSeconds,
    stallSeconds: 60,
    maxTurns: 40,
    maxBudgetUsd,
    contextWindow: null,
  };
}

/**
 * Returns a demo project's services with the checks that lead to where the demo's services were leading to
 * where they are now. Everything else is a person's and stays as it is.
 *
 * @param services of the project
 */
export function moveDemoServices(
  services: readonly ServiceSpec[],
  demo: DemoServices,
): ServiceSpec[] {
  return services.map((service) => {
    const { data: name } = demoServiceNameSchema.safeParse(service.name);
    return name ? { ...service, checks: moveChecks(service.checks, name, demo) } : service;
  });
}

function moveChecks(
  checks: readonly CheckSpec[],
  name: DemoServiceName,
  demo: DemoServices,
): CheckSpec[] {
  const now = checksOf(name, demo);
  const moves = demo[name].former.flatMap((place) =>
    checksOf(name, { ...demo, [name]: { ...place, former: [] } }).flatMap((from, index) => {
      const to = now[index];
      return to ? { from, to } : [];
    }),
  );
  return checks.map((check) => {
    const move = moves.find(({ from }) => from.type === check.type && from.target === check.target);
    return move ? { ...check, target: move.to.target } : check;
  });
}

/** As a new demo project has them. */
function checksOf(name: DemoServiceName, demo: DemoServices): readonly CheckSpec[] {
  return (
    demoProjectConfig(demo, 'open').services.find((service) => service.name === name)?.checks ?? []
  );
}
