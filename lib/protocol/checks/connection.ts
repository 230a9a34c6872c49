import { connect, type Socket } from 'node:net';

/** An open TCP connection; rejects with the system error, or when `signal` aborts. */
export function openConnection(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const giveUp = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', giveUp));
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
    if (signal.aborted) giveUp();
  });
}
