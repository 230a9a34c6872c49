/** What a runner exposes about itself: to its own host, and only if its operator turns it on. */
import { Gauge, Registry } from 'prom-client';
import { type MetricsServer, openMetricsServer } from '@/lib/platform/http/metrics-server';
import { counter, makeDeclaredMetrics } from '@/lib/platform/metrics/instruments';
import { addProcessMetrics, metricsRegistry } from '@/lib/platform/metrics/registry';
import { CHECK_TYPES, type CheckType } from '@/lib/protocol/checks/kinds';
import { RUNNER_VERSION } from '@/lib/protocol/schema';
import { SERVICE_STATUSES } from '@/lib/protocol/spec';
import { refusalOfMetrics } from '@/lib/telemetry/metrics/access';

const runnerCheckResults = counter({
  name: 'tierwatch_runner_check_results_total',
  help: 'Results that checks without an agent had on this runner, by kind of check.',
  labels: { kind: CHECK_TYPES, result: SERVICE_STATUSES },
});

export const runnerAttempts = counter({
  name: 'tierwatch_runner_attempts_total',
  help: 'Attempts that this runner has started or declined.',
  labels: { result: ['started', 'declined', 'failed'] },
});

/** The runner as it is at a scrape. */
export interface RunnerGauges {
  /** Attempts whose agent runs, and all whose result hasn't been acknowledged yet, including these. */
  attempts: { running: number; held: number };
  slots: number;
  checks: { scheduled: number; waiting: number; running: number; unsent: number };
  /** When the control plane last answered a heartbeat, in milliseconds since 1970; 0: never. */
  heartbeatAt: number;
}

const HOST = '127.0.0.1';

/**
 * Listens for `GET /metrics` on loopback. Only requests of this machine are answered, by a loopback address.
 *
 * @param read the gauges, at each scrape
 * @throws Error of Node if it can't listen there, such as EADDRINUSE
 */
export async function serveRunnerMetrics(
  port: number,
  read: () => RunnerGauges,
): Promise<MetricsServer> {
  addProcessMetrics('runner', RUNNER_VERSION);
  return openMetricsServer(HOST, port, async (request) => {
    if (refusalOfMetrics(request, { token: null, isLocal: true }) !== null) {
      return { status: 403, headers: PLAIN, body: REFUSAL };
    }
    makeDeclaredMetrics();
    const body = await Registry.merge([metricsRegistry(), gaugesOf(read())]).metrics();
    return { status: 200, headers: { ...PLAIN, 'content-type': TEXT_FORMAT }, body };
  });
}

/** Prometheus 3 refuses an answer without exactly one it knows. */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
const REFUSAL =
  'Only this machine may read the metrics of its runner, by a loopback address and without a proxy.\n';

function gaugesOf({ attempts, slots, checks, heartbeatAt }: RunnerGauges): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, values: Record<string, number> | number) => {
    const isOne = typeof values === 'number';
    const made = new Gauge({
      name: `tierwatch_runner_${name}`,
      help,
      labelNames: isOne ? [] : ['state'],
      registers: [registry],
    });
    if (isOne) made.set(values);
    else for (const [state, value] of Object.entries(values)) made.set({ state }, value);
  };
  gauge(
    'attempts',
    'Attempts by state. State held: all whose result was not acknowledged yet, including running ones.',
    attempts,
  );
  gauge('slots', 'How many agents this runner may run at once now.', slots);
  gauge(
    'checks',
    'Checks without an agent by state. State waiting: due, but too many others run. State unsent: results to be reported.',
    checks,
  );
  gauge(
    'last_heartbeat_timestamp_seconds',
    'When the control plane last answered a heartbeat, in seconds since 1970; 0: never.',
    heartbeatAt / 1_000,
  );
  return registry;
}

/** @param check a CheckSpec, or one of a later version, which is counted as `other` */
export function countResult(check: unknown, result: (typeof SERVICE_STATUSES)[number]): void {
  const type = typeof check === 'object' && check !== null ? Reflect.get(check, 'type') : null;
  const kind = CHECK_TYPES.find((each) => each === type) ?? ('other' as CheckType);
  runnerCheckResults.add({ kind, result });
}
