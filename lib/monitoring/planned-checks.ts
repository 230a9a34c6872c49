/** The checks that a configuration demands. Pure. */
import { createHash } from 'node:crypto';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type CheckSpec, checkIntervalSeconds } from '@/lib/protocol/spec';

export interface PlannedServiceCheck {
  service: string;
  position: number;
  key: string;
  spec: CheckSpec;
  everySeconds: number;
}

/** Returns the checks that runners run without an agent; none if the project has that switched off. */
export function plannedChecks({
  services,
  monitoring,
}: Pick<ProjectConfig, 'services' | 'monitoring'>): PlannedServiceCheck[] {
  const { everySeconds } = monitoring;
  if (everySeconds === null) return [];
  return services.flatMap(({ name, checks }) => {
    const seen = new Map<string, number>();
    return checks.flatMap((spec, position) => {
      // Jobs ping it; no runner performs it.
      if (spec.type === 'heartbeat') return [];
      const hash = hashOf(spec);
      const twin = seen.get(hash) ?? 0;
      seen.set(hash, twin + 1);
      return {
        ...{ service: name, position, key: `${hash}.${twin}`, spec },
        everySeconds: checkIntervalSeconds(spec, everySeconds),
      };
    });
  });
}

/** Of what is checked, but not of when: a check with another interval keeps its history. */
function hashOf(spec: CheckSpec): string {
  const { timeoutSeconds: _timeout, everySeconds: _interval, ...checked } = spec;
  const sorted = Object.entries(checked).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 32);
}
