import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import type { CheckSpec } from '../spec';
import { degraded, down, healthy, type Probe, type ProbeResult } from './outcome';
import { parseHostPort } from './target';

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

/** Resolves as programs on this host do: hosts file and search domains included. */
export const probeDns: Probe = async (check) => {
  const addresses = await lookup(check.target.trim(), { all: true });
  return addresses.length > 0 ? healthy : down('The name has no address.');
};

export const probeTcp: Probe = async (check, signal) => {
  const address = parseHostPort(check.target);
  if (!address) return down('The target is not host:port.');
  const socket = await openConnection(address.host, address.port, signal);
  socket.destroy();
  return healthy;
};

const MAX_REDIRECTS = 3;
const MAX_BODY_CHARACTERS = 1_000_000;

export const probeHttp: Probe = async (check, signal) => {
  // Loaded here: it is the slowest import of all checks, and a project may have none of this type.
  const { Agent, interceptors, request } = await import('undici');
  const agent = new Agent({ pipelining: 0 });
  const follows = !isRedirect(check.expectStatus);
  try {
    const answer = await request(check.target, {
      signal,
      headers: { 'user-agent': 'tierwatch-check', accept: '*/*' },
      dispatcher: follows
        ? agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }))
        : agent,
    });
    if (follows && isRedirect(answer.statusCode) && answer.headers.location) {
      return down(`Too many redirects: more than ${MAX_REDIRECTS}.`);
    }
    const text = check.expectText ? await readStart(answer.body) : '';
    return judgeAnswer(check, answer.statusCode, text);
  } finally {
    await agent.destroy();
  }
};

/** 200 to 399 is fine unless the check names a status; a fine answer without the text is degraded. */
export function judgeAnswer(
  check: Pick<CheckSpec, 'expectStatus' | 'expectText'>,
  statusCode: number,
  text: string,
): ProbeResult {
  const isExpected = check.expectStatus
    ? statusCode === check.expectStatus
    : statusCode >= 200 && statusCode < 400;
  if (!isExpected) {
    return down(`Answered ${statusCode}, expected ${check.expectStatus ?? '200 to 399'}.`);
  }
  if (check.expectText && !text.includes(check.expectText)) {
    return degraded(`Answered ${statusCode} without the text "${check.expectText}".`);
  }
  return healthy;
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400;
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_BODY_CHARACTERS) break;
  }
  return text;
}
