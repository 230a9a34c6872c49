/** The kinds of checks, their closed sets of values, and what holds where a check says nothing. */

/** Every kind of check. How each is performed is listed in `checks/run-check.ts`. */
export const CHECK_TYPES = [
  'http',
  'tls',
  'tcp',
  'dns',
  'database',
  'container',
  'service',
  'process',
  'prometheus',
  'command',
  'heartbeat',
] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

/** How often a check runs that doesn't say so itself, in seconds. */
export const DEFAULT_CHECK_SECONDS = 60;

export const HTTP_METHODS = ['GET', 'HEAD'] as const;
export const ADDRESS_FAMILIES = ['auto', 'ipv4', 'ipv6'] as const;
export const DNS_RECORD_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'MX',
  'NS',
  'PTR',
  'SRV',
  'TXT',
] as const;
export const COMPARISONS = ['<', '<=', '==', '!=', '>=', '>'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Days before the earliest expiry of a certificate chain, where the check doesn't say. */
export const DEFAULT_WARN_DAYS = 14;
export const DEFAULT_FAIL_DAYS = 3;
/** Age of a Prometheus sample above which it says nothing, where the check doesn't say. */
export const DEFAULT_SAMPLE_SECONDS = 300;
/** Of a heartbeat, where the check doesn't say: once a day, an hour late at most. */
export const DEFAULT_PERIOD_SECONDS = 86_400;
export const DEFAULT_GRACE_SECONDS = 3_600;
