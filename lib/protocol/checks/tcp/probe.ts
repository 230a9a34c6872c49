import type { Socket } from 'node:net';
import { findAddresses, openConnection } from '../addresses';
import { degraded, healthy, type Probe, type ProbeResult, unknown } from '../outcome';
import { parseHostPort } from '../target';
import type { tcp } from './kind';

/** More of a banner isn't read, in characters. */
const MAX_BANNER = 4_096;

/** The port accepts a connection and, if the check expects a text, the server's first words contain it. */
export const probeTcp: Probe<typeof tcp.fields> = async (check, context) => {
  const target = parseHostPort(check.target);
  if (!target) return unknown('The target is not host:port.');
  const addresses = await findAddresses(target.host, check.family, context);
  const socket = await openConnection({ ...target, addresses }, context.signal);
  const facts = { address: socket.remoteAddress };
  try {
    if (!check.expectText) return { ...healthy, facts };
    const wrong = degraded(`Connected, but the server did not send "${check.expectText}".`);
    context.whenTimeIsUp({ ...wrong, facts });
    return { ...(await readBanner(socket, check.expectText, wrong)), facts };
  } finally {
    socket.destroy();
  }
};

function readBanner(socket: Socket, expected: string, wrong: ProbeResult): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const decoder = new TextDecoder();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes(expected)) resolve(healthy);
      else if (text.length >= MAX_BANNER) resolve(wrong);
    });
    socket.once('error', () => resolve(wrong));
    socket.once('close', () => resolve(wrong));
  });
}
