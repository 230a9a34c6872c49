import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import {
  type DemoServiceName,
  type DemoServices,
  demoServiceNames,
} from '@/lib/projects/demo-service/schema';

/**
 * A free loopback port for each service, the one it had before where that is free: the demo
 * project's checks name the ports.
 */
export async function choosePorts(
  before: Partial<Record<DemoServiceName, number>>,
): Promise<Record<DemoServiceName, number>> {
  const ports = { web: 0, api: 0, db: 0 };
  const held: Server[] = [];
  // All stay held until the last is chosen, or two services could get the same one.
  for (const name of demoServiceNames) {
    const server = (await listen(before[name] ?? 0)) ?? (await listen(0));
    if (!server) throw new Error('There is no free loopback port for the demo service.');
    held.push(server);
    ports[name] = (server.address() as AddressInfo).port;
  }
  await Promise.all(held.map((server) => once(server.close(), 'close')));
  return ports;
}

type RunningService = DemoServices[DemoServiceName];
type Place = Omit<RunningService, 'former'>;

/**
 * Returns where a service ran before, oldest first, each place once and without where it runs now.
 *
 * @param before the service at the last start; undefined at the first
 */
export function formerPlaces(before: RunningService | undefined, now: Place): Place[] {
  if (!before) return [];
  const { former, ...last } = before;
  const isSame = (one: Place, other: Place) =>
    one.port === other.port && one.pidFile === other.pidFile;
  return [...former.filter((place) => !isSame(place, last)), last].filter(
    (place) => !isSame(place, now),
  );
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  } catch {
    return null;
  }
}
