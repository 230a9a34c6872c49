/** The demo's checks after its services have moved. Pure. */
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { demoProjectConfig } from './project-config';
import { type DemoServiceName, type DemoServices, demoServiceNameSchema } from './schema';

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
