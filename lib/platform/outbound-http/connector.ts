import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { RefusedAddressError, type RequestPhase } from './failure';
import { checkAddress, type TargetRules, unusableName } from './target-policy';

/** Milliseconds before the next address of the same name is tried, too. */
const NEXT_ADDRESS_AFTER_MS = 2_000;

/** What a request has reached; written while it runs. */
export interface Progress {
  phase: RequestPhase;
  /** The IP address connected to. */
  address: string | null;
}

/**
 * Opens the socket of one request. The name is resolved once, in the socket's own lookup, so the
 * addresses that were checked are those that are dialled: a name that changes its answer between a
 * check and a connection (DNS rebinding) gains nothing. The far end is looked at once more before
 * any byte of the request is sent, which covers hosts written as addresses, too.
 */
export function guardedConnector(options: {
  rules: TargetRules;
  resolve: ResolveName;
  signal: AbortSignal;
  progress: Progress;
  certificateAuthority: string | undefined;
}): buildConnector.connector {
  const { rules, resolve, signal, progress } = options;

  const lookup: LookupFunction = (host, { all }, done) => {
    resolveAllowed(host, resolve, rules).then(
      (addresses) => {
        progress.phase = 'connecting';
        if (all) done(null, addresses);
        else done(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => done(error, ''),
    );
  };

  const connect = buildConnector({
    lookup,
    signal,
    ...(options.certificateAuthority ? { ca: options.certificateAuthority } : {}),
    // The request's own deadline governs.
    timeout: 0,
    maxCachedSessions: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  });

  return (target, callback) => {
    if (isIP(target.hostname)) progress.phase = 'connecting';
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      const address = socket.remoteAddress ?? '';
      const refusal = checkAddress(target.hostname, address, rules);
      if (refusal) {
        socket.destroy();
        return callback(new RefusedAddressError(refusal), null);
      }
      progress.address = address;
      progress.phase = 'answering';
      callback(null, socket);
    });
  };
}

/** All addresses of a name, in the order to try them. Rejects when there is none. */
export type ResolveName = (host: string) => Promise<LookupAddress[]>;

/** The system's resolver, with its hosts file: names of the operator's own network work. */
export const resolveBySystem: ResolveName = (host) =>
  dns.lookup(host, { all: true, order: 'verbatim' });

/**
 * The addresses of `host`, all of them allowed. One that is not refuses the name as a whole: an
 * answer that mixes public and private addresses is how a check is got around.
 * Rejects with RefusedAddressError.
 */
export async function resolveAllowed(
  host: string,
  resolve: ResolveName,
  rules: TargetRules,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(host).catch(() => []);
  if (!first) throw new RefusedAddressError(unusableName(host));
  for (const { address } of [first, ...others]) {
    const refusal = checkAddress(host, address, rules);
    if (refusal) throw new RefusedAddressError(refusal);
  }
  return [first, ...others];
}
