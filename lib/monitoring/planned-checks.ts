/** The checks that a configuration demands. Pure. */
import { createHash } from 'node:crypto';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type CheckSpec, checkIntervalSeconds } from '@/lib/protocol/spec';
import { PING_CHECK_EVERY_SECONDS } from './ping-state';

export interface PlannedServiceCheck {
  service: string;
  position: number;
  key: string;
  spec: CheckSpec;
  everySeconds: number;
}

/**
 * Returns the checks that run without an agent, heartbeats included; none if the project has that
 * switched off.
 */
export function plannedChecks({
  services,
  monitoring,
}: Pick<ProjectConfig, 'services' | 'monitoring'>): PlannedServiceCheck[] {
  const { everySeconds } = monitoring;
  if (everySeconds === null) return [];
  return services.flatMap(({ name, checks }) => {
    const seen = new Map<string, number>();
    return checks.map((spec, position) => {
      const hash = hashOf(spec);
      const twin = seen.get(hash) ?? 0;
      seen.set(hash, twin + 1);
      return {
        ...{ service: name, position, key: `${hash}.${twin}`, spec },
        everySeconds: isPingCheck({ spec })
          ? PING_CHECK_EVERY_SECONDS
          : checkIntervalSeconds(spec, everySeconds),
      };
    });
  });
}

/** Whether the control plane judges a check by the pings of a job, so that no runner performs it. */
export function isPingCheck({ spec }: { spec: unknown }): boolean {
  return typeof spec === 'object' && spec !== null && 'type' in spec && spec.type === 'heartbeat';
}

/**
 * Of what is checked, but not of when: a check with another interval keeps its history. A heartbeat is its
 * name, whatever else is set, so that it keeps its URL.
 */
function hashOf(spec: CheckSpec): string {
  const { timeoutSeconds: _timeout, everySeconds: _interval, ...others } = spec;
  const {
    periodSeconds: _period,
    graceSeconds: _grace,
    isPostOnly: _isPostOnly,
    ...checked
  } = others;
  const sorted = Object.entries(checked).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 32);
}

/**
 * Returns what stands for the checks of a runner: it differs whenever they or their runner do.
 *
 * @returns null for none
 */
export function planDigest(
  assignments: readonly { projectId: string; epoch: number }[],
): string | null {
  if (assignments.length === 0) return null;
  const said = assignments.map(({ projectId, epoch }) => `${projectId} ${epoch}`).join('\n');
  return createHash('sha256').update(said).digest('hex').slice(0, 16);
}
