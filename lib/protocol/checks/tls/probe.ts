import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { findAddresses, fixedLookup } from '../addresses';
import type { CheckOf } from '../check-kind';
import {
  degraded,
  down,
  failureOf,
  healthy,
  type Probe,
  type ProbeResult,
  unknown,
} from '../outcome';
import { parseTlsTarget } from '../target';
import { DEFAULT_FAIL_DAYS, DEFAULT_WARN_DAYS, type tls } from './kind';

/** The server's certificate is valid for the name, trusted, and not about to expire, like its issuers. */
export const probeTls: Probe<typeof tls.fields> = async (check, context) => {
  const target = parseTlsTarget(check.target);
  if (!target) return unknown('The target is not a host, host:port or https URL.');
  const addresses = await findAddresses(target.host, check.family, context);
  const name = check.serverName ?? target.host;
  context.whenTimeIsUp(down(`No TLS handshake within ${check.timeoutSeconds} s.`));
  const socket = await handshake(
    {
      ...target,
      lookup: fixedLookup(addresses),
      // An IP address is never sent as a server name.
      ...(isIP(name) ? {} : { servername: name }),
      // Otherwise a wrong certificate would end the handshake before its dates can be read.
      rejectUnauthorized: false,
    },
    context.signal,
  );
  try {
    const peer = socket.getPeerCertificate(true);
    const chain = chainOf(peer);
    const [leaf] = chain;
    if (!leaf) return down('The server sent no certificate.');
    const isNameWrong = checkServerIdentity(name, peer) !== undefined;
    const error = socket.authorized ? null : String(socket.authorizationError ?? '');
    const judged = judgeCertificates(check, { chain, name, isNameWrong, error }, new Date());
    return { ...judged, facts: { ...judged.facts, address: socket.remoteAddress } };
  } finally {
    socket.destroy();
  }
};

function handshake(options: ConnectionOptions, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options, () => resolve(socket));
    const giveUp = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('close', () => {
      signal.removeEventListener('abort', giveUp);
      reject(new Error('The server closed the connection during the TLS handshake.'));
    });
    socket.once('error', reject);
    // The time may have been up before the name was resolved.
    if (signal.aborted) giveUp();
  });
}

type Certificate = Pick<PeerCertificate, 'subject' | 'valid_from' | 'valid_to'>;

/** Returns the server's certificate and those that issued it, as far as they were sent or are known. */
function chainOf(leaf: DetailedPeerCertificate): Certificate[] {
  const chain = new Map<string, DetailedPeerCertificate>();
  let next: DetailedPeerCertificate | undefined = leaf;
  while (next?.fingerprint256 && !chain.has(next.fingerprint256)) {
    chain.set(next.fingerprint256, next);
    next = next.issuerCertificate;
  }
  return [...chain.values()];
}

interface CertificateFacts {
  /** The server's own first. */
  chain: readonly Certificate[];
  /** What it has to be valid for. */
  name: string;
  isNameWrong: boolean;
  /** OpenSSL's code for a certificate that isn't trusted, or Node's; null if it is. */
  error: string | null;
}

const DAY_MS = 86_400_000;
const NAME_ERROR = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** Judges a chain: what clients reject is down, what they will soon reject degraded. */
export function judgeCertificates(
  {
    warnDays = DEFAULT_WARN_DAYS,
    failDays = DEFAULT_FAIL_DAYS,
  }: Pick<CheckOf<typeof tls.fields>, 'warnDays' | 'failDays'>,
  { chain, name, isNameWrong, error }: CertificateFacts,
  now: Date,
): ProbeResult {
  const byExpiry = chain.toSorted((one, other) => expiryOf(one) - expiryOf(other));
  const [first] = byExpiry;
  if (!first) return down('The server sent no certificate.');
  const daysLeft = Math.floor((expiryOf(first) - now.getTime()) / DAY_MS);
  const expiresAt = new Date(expiryOf(first)).toISOString();
  const facts = { daysLeft, expiresAt };
  const whose =
    first === chain[0] ? 'The certificate' : `The certificate of ${commonName(first)} in the chain`;
  const early = chain.find((each) => Date.parse(each.valid_from) > now.getTime());
  if (expiryOf(first) <= now.getTime()) {
    return { ...down(`${whose} expired on ${expiresAt.slice(0, 10)}.`), facts };
  }
  if (early) {
    const from = new Date(early.valid_from).toISOString();
    return { ...down(`A certificate in the chain is not valid before ${from}.`), facts };
  }
  if (isNameWrong) return { ...down(`The certificate is not valid for ${name}.`), facts };
  if (error !== null && error !== NAME_ERROR) {
    const { error: text } = failureOf(Object.assign(new Error(error), { code: error }));
    return { ...down(text === error ? `The certificate is not trusted (${error}).` : text), facts };
  }
  const left = `${whose} expires in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}, on ${expiresAt.slice(0, 10)}.`;
  if (daysLeft < failDays) return { ...down(left), facts };
  return { ...(daysLeft < warnDays ? degraded(left) : healthy), facts };
}

function expiryOf({ valid_to }: Certificate): number {
  return Date.parse(valid_to);
}

function commonName({ subject }: Certificate): string {
  const name: unknown = subject?.CN ?? subject?.O;
  return typeof name === 'string' && name !== '' ? name : 'an issuer';
}
