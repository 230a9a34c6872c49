/** Where a name leads: looked up before a connection, so that both can be timed and judged apart. */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, down, type ProbeContext, ProbeError, unknown } from './outcome';

const FAMILIES = { auto: 0, ipv4: 4, ipv6: 6 } as const;
/** Over which IP version; either where absent. */
export type Family = keyof typeof FAMILIES | undefined;
const RETRY_AFTER_MS = 200;

type Lookup = (host: string, options: { all: true; family: 0 | 4 | 6 }) => Promise<LookupAddress[]>;

/**
 * Resolves as programs on this host do: hosts file and search domains included. A name server that
 * doesn't respond is asked once more, since that is the checker's failure and often over at once.
 *
 * @throws a system error, or a ProbeError if the name has no address of the family
 */
export async function findAddresses(
  host: string,
  family: Family,
  { whenTimeIsUp }: Pick<ProbeContext, 'whenTimeIsUp'>,
  lookup: Lookup = systemLookup,
): Promise<LookupAddress[]> {
  const options = { all: true, family: FAMILIES[family ?? 'auto'] } as const;
  whenTimeIsUp(unknown('The runner’s name server did not respond in time.'));
  try {
    const found = await lookup(host, options).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EAI_AGAIN') throw error;
      await delay(RETRY_AFTER_MS);
      return lookup(host, options);
    });
    // An address of the other family may be mapped instead of refused.
    const fitting = found.filter(
      ({ address }) => options.family === 0 || isIP(address) === options.family,
    );
    if (fitting.length > 0) return fitting;
    throw new ProbeError(down(noAddress(family)));
  } catch (error) {
    const isMissing = ['ENOTFOUND', 'ENODATA', 'EAI_ADDRFAMILY'].includes(codeOf(error));
    throw isMissing && options.family !== 0 ? new ProbeError(down(noAddress(family))) : error;
  } finally {
    whenTimeIsUp(null);
  }
}

function noAddress(family: Family): string {
  if (family === 'ipv4') return 'The name has no IPv4 address.';
  return family === 'ipv6' ? 'The name has no IPv6 address.' : 'The name has no address.';
}

/** Returns a lookup function for connections that yields these addresses. */
export function fixedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, options, callback) => {
    const [first] = addresses;
    // With `all`, as a connection that tries several addresses asks, the callback takes a list.
    if (options.all) callback(null, [...addresses] as LookupAddress[]);
    else if (first) callback(null, first.address, first.family);
    else callback(Object.assign(new Error(`No address of ${host}.`), { code: 'ENOTFOUND' }), '', 0);
  };
}

/** An open TCP connection; rejects with the system error, or when `signal` aborts. */
export function openConnection(
  { host, port, addresses }: { host: string; port: number; addresses: readonly LookupAddress[] },
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: fixedLookup(addresses) });
    const giveUp = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', giveUp));
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
    if (signal.aborted) giveUp();
  });
}
