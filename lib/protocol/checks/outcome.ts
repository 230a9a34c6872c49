import type { CheckOf, Fields, Phases } from './check-kind';

/** `unknown`: the check couldn't be performed, so nothing is proven either way. */
export type CheckStatus = 'healthy' | 'degraded' | 'down' | 'unknown';

/** Facts of its kind, by name. */
export type ProbeFacts = Record<string, string | number | string[] | Phases | undefined>;

/** What a probe found: `error` is empty when healthy, else one sentence for people. */
export interface ProbeResult {
  status: CheckStatus;
  error: string;
  facts?: ProbeFacts;
}

export interface ProbeContext {
  /** Aborts when the check's time is up; then the probe must give up. */
  signal: AbortSignal;
  /**
   * Sets the result of a probe whose time is up while it waits for what `result` says. Without it, the
   * target didn't respond.
   */
  whenTimeIsUp(result: ProbeResult | null): void;
  /** Runs the program of a `command` check. Without it, none runs. */
  runCommand?: RunCheckCommand | undefined;
}

/** Looks at one target. May throw a system error. */
export type Probe<Own extends Fields = Fields> = (
  check: CheckOf<Own>,
  context: ProbeContext,
) => Promise<ProbeResult>;

export interface CommandEnd {
  exitCode: number | null;
  signal: string | null;
  /** Why it couldn't be started: `ENOENT` if there is no such program, else a sentence. */
  startError: string | null;
  output: string;
  /** It printed too much, so it was ended. */
  isCut: boolean;
}

/**
 * Runs the program of a check if it may.
 *
 * @param signal aborts when the check's time is up
 * @returns how it ended, or why it may not run
 */
export type RunCheckCommand = (
  check: { target: string; timeoutSeconds: number; isAllowedByOwner?: boolean },
  argv: readonly string[],
  signal: AbortSignal,
) => Promise<CommandEnd | { refusal: string }>;

export const healthy: ProbeResult = { status: 'healthy', error: '' };

export function degraded(error: string): ProbeResult {
  return { status: 'degraded', error };
}

export function down(error: string): ProbeResult {
  return { status: 'down', error };
}

/** @param error why the check couldn't be performed, as one sentence */
export function unknown(error: string): ProbeResult {
  return { status: 'unknown', error };
}

/** A failure whose result is known where it happens. */
export class ProbeError extends Error {
  readonly result: ProbeResult;

  constructor(result: ProbeResult) {
    super(result.error);
    this.result = result;
  }
}

const TARGET_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was closed.',
  EHOSTUNREACH: 'The host is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
  ENOTFOUND: 'The name does not resolve.',
  ENODATA: 'The name has no address.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The TLS certificate comes from an authority that the runner doesn’t trust.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The TLS certificate comes from an authority that the runner doesn’t trust.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The server doesn’t send the certificate that issued its own, or the runner doesn’t trust it.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The port doesn’t speak TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The port doesn’t speak TLS.',
};

/** Failures of the host that performs the check, which say nothing about its target. */
const OWN_ERRORS: Record<string, string> = {
  EAI_AGAIN: 'The runner’s name server did not respond.',
  ENETUNREACH: 'The runner has no route to the address.',
  EADDRNOTAVAIL: 'The runner has no local address for the connection.',
  EMFILE: 'The runner has too many open files.',
  ENFILE: 'The runner’s host has too many open files.',
  ENOBUFS: 'The runner’s host has no buffer space left.',
  ENOMEM: 'The runner’s host has no memory left.',
  EPERM: 'The runner’s host doesn’t permit the connection.',
  EACCES: 'The runner isn’t permitted to do this.',
};

/**
 * Returns what an error says about the target. Several addresses may have failed, each in its own way:
 * one failure of the target outweighs those of the runner's host. Of an unknown error, its own message
 * is the target's failure.
 */
export function failureOf(error: unknown): ProbeResult {
  if (error instanceof ProbeError) return error.result;
  const codes = errorAndCauses(error).map(codeOf);
  const target = codes.flatMap((code) => TARGET_ERRORS[code] ?? [])[0];
  if (target) return down(target);
  const own = codes.flatMap((code) => OWN_ERRORS[code] ?? [])[0];
  if (own) return unknown(own);
  const message = error instanceof Error ? error.message : String(error);
  return down(message.trim() || 'The check failed without a message.');
}

// A refused connection to a name with several addresses is an AggregateError.
function errorAndCauses(error: unknown): unknown[] {
  const inner = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : [];
  return [error, ...inner, ...cause];
}

/** Returns the code of a system error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
