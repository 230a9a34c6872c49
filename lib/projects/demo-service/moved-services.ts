/** The demo's checks after its services have moved. Pure. */
import { basename } from 'node:path';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';

/**
 * Returns a demo project's services with its checks of the demo's services leading to where those are now.
 * What a person has added or removed since stays as it is.
 *
 * @param services of the project
 * @param fresh of a demo project that is created now
 */
export function moveDemoServices(
  services: readonly ServiceSpec[],
  fresh: readonly ServiceSpec[],
): ServiceSpec[] {
  return services.map((service) => {
    const checks = [...service.checks];
    for (const now of fresh.find(({ name }) => name === service.name)?.checks ?? []) {
      const isNow = ({ type, target }: CheckSpec) => type === now.type && target === now.target;
      const index = checks.findIndex((check) => isSameButMoved(check, now));
      const moved = checks[index];
      if (moved && !checks.some(isNow)) checks[index] = { ...moved, target: now.target };
    }
    return { ...service, checks };
  });
}

function isSameButMoved(check: CheckSpec, now: CheckSpec): boolean {
  if (check.type !== now.type) return false;
  switch (check.type) {
    case 'http':
      return withoutPort(check.target) === withoutPort(now.target);
    case 'tcp':
      return withoutPort(`tcp://${check.target}`) === withoutPort(`tcp://${now.target}`);
    // The data folder has another name.
    case 'process':
      return basename(check.target) === basename(now.target);
    default:
      return false;
  }
}

function withoutPort(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.hostname}${url.pathname}` : address;
}
