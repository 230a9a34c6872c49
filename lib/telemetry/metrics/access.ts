/** Who may read the metrics of a process. */

import { createHash, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';

export interface MetricsRequest {
  authorization: string | null;
  /** Address of the other end; null if it isn't known. */
  peer: string | null;
  /** The `Host` header. */
  host: string | null;
  /** Whether a header says that a proxy has forwarded the request. */
  isForwarded: boolean;
}

export interface MetricsRules {
  /** TIERWATCH_METRICS_TOKEN; null: only this machine may read. */
  token: string | null;
  /** Whether the installation is meant for this machine alone, so no proxy is in front of it. */
  isLocal: boolean;
}

/** @returns null if it may; otherwise why not and what to do, for the answer's body */
export function refusalOfMetrics(request: MetricsRequest, rules: MetricsRules): string | null {
  if (rules.token !== null)
    return hasToken(request.authorization, rules.token) ? null : WRONG_TOKEN;
  // A proxy on this machine connects from it, too, and need not say for whom.
  const isFromHere =
    rules.isLocal &&
    !request.isForwarded &&
    isLoopback(request.peer) &&
    isLoopback(hostName(request.host));
  return isFromHere ? null : NO_TOKEN;
}

const WRONG_TOKEN =
  'The metrics need a token. Send the value of TIERWATCH_METRICS_TOKEN as "Authorization: Bearer <token>".\n';
const NO_TOKEN =
  'Without TIERWATCH_METRICS_TOKEN, only this machine may read the metrics, by its loopback address and while TIERWATCH_PUBLIC_URL is one. Set a token, then send it as "Authorization: Bearer <token>".\n';

/** Compared as hashes, so that the time says nothing about the token. */
function hasToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hostName(host: string | null): string | null {
  return host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;
}

export function isLoopback(name: string | null): boolean {
  if (name === 'localhost') return true;
  const address = (name ?? '').replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
