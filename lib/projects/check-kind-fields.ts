/** Apart from `check-problems.ts`, since forms load it. */
import type { CheckSpec, CheckType } from '@/lib/protocol/spec';

/** The fields that mean something to a kind, besides the common ones and its interval. */
export const CHECK_FIELDS: Record<CheckType, readonly (keyof CheckSpec)[]> = {
  http: [
    'expectStatus',
    'expectText',
    'expectJson',
    'method',
    'headers',
    'redirectHosts',
    'family',
    'maxResponseMs',
  ],
  tls: ['serverName', 'warnDays', 'failDays', 'family', 'maxResponseMs'],
  tcp: ['expectText', 'family', 'maxResponseMs'],
  dns: ['recordType', 'resolver', 'expectValues', 'maxResponseMs'],
  database: ['maxResponseMs'],
  container: [],
  service: [],
  process: [],
  prometheus: ['query', 'operator', 'threshold', 'maxSampleSeconds', 'family'],
  command: ['exitCodes', 'expectText', 'isAllowedByOwner'],
  heartbeat: ['periodSeconds', 'graceSeconds', 'isPostOnly'],
};
