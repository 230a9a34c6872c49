/**
 * The kinds of checks. What performs each is listed in `run-check.ts`. Pages load `CHECK_KINDS`, in whose
 * order kinds and fields are shown and stored, and never `CHECK_RULES`.
 */

import type { FactValues, ValuesOf } from './check-kind';
import { command, commandRules } from './command/kind';
import { container, containerRules } from './container/kind';
import { database, databaseRules } from './database/kind';
import { dns, dnsRules } from './dns/kind';
import { heartbeat, pingRules } from './heartbeat/kind';
import { http, httpRules } from './http/kind';
import { process, processRules } from './process/kind';
import { prometheus, prometheusRules } from './prometheus/kind';
import { service, serviceRules } from './service/kind';
import { tcp, tcpRules } from './tcp/kind';
import { tls, tlsRules } from './tls/kind';

export const CHECK_KINDS = {
  ...{ http, tcp, tls, dns, database, container, service, process },
  ...{ prometheus, command, heartbeat },
};
export type CheckType = keyof typeof CHECK_KINDS;
export const CHECK_TYPES = Object.keys(CHECK_KINDS) as CheckType[];

export const CHECK_RULES = {
  http: httpRules,
  tcp: tcpRules,
  tls: tlsRules,
  dns: dnsRules,
  database: databaseRules,
  container: containerRules,
  service: serviceRules,
  process: processRules,
  prometheus: prometheusRules,
  command: commandRules,
  heartbeat: pingRules,
};
type AllOf<Each> = (Each extends unknown ? (each: Each) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
export type CheckFields = AllOf<(typeof CHECK_KINDS)[CheckType]['fields']>;
export type CheckOptions = ValuesOf<CheckFields>;
/** What a check measured in addition to its status. */
export type CheckFacts = FactValues<AllOf<(typeof CHECK_RULES)[CheckType]['facts']>>;

/** A check, as `checkSchema` of `spec.ts` parses it. */
export type Check = CheckOptions & {
  type: CheckType;
  target: string;
  timeoutSeconds: number;
  everySeconds?: number;
};
