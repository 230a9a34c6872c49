import type { LookupAddress } from 'node:dns';
import { connect, type Socket } from 'node:net';
import { fixedLookup } from './addresses';

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
