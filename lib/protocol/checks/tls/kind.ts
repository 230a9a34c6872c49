import {
  addressFact,
  type CheckRules,
  checkKind,
  family,
  maxResponseMs,
  numberField,
  problem,
  textField,
} from '../check-kind';
import { isHostName, parseTlsTarget } from '../target';

/** Days before the earliest expiry of a certificate chain, where the check doesn't say. */
export const DEFAULT_WARN_DAYS = 14;
export const DEFAULT_FAIL_DAYS = 3;

const DAYS = { min: 0, max: 825, unit: 'days', range: 'Enter 0 to 825 days.' };

export const tls = checkKind({
  word: 'TLS certificate',
  target: { label: 'Host', example: 'shop.example:443' },
  since: 2,
  fields: {
    family,
    maxResponseMs,
    serverName: textField({
      label: 'Certificate name',
      size: 'l',
      min: 1,
      max: 253,
    }),
    warnDays: numberField({
      label: 'Degraded below (days)',
      placeholder: String(DEFAULT_WARN_DAYS),
      ...DAYS,
    }),
    failDays: numberField({
      label: 'Down below (days)',
      placeholder: String(DEFAULT_FAIL_DAYS),
      ...DAYS,
    }),
  },
  host: (target) => parseTlsTarget(target)?.host ?? null,
});

export const tlsRules = {
  target: 'a host or `host:port`',
  facts: {
    /** Of the certificate in the chain that expires first. ISO 8601. */
    expiresAt: { shape: 'text' },
    daysLeft: { shape: 'integer', words: (days) => `${days} days left` },
    address: addressFact,
  },
  texts: {
    serverName: {
      doc: '`tls`: the name that the certificate must be valid for; the host of the target by default.',
    },
    warnDays: {
      doc: '`tls`: degraded with fewer days left until the first certificate of the chain expires; 14 by default.',
      comment: 'days',
    },
    failDays: { doc: '`tls`: down with fewer days left; 3 by default.', comment: 'days' },
  },
  problems: ({
    target,
    serverName,
    warnDays = DEFAULT_WARN_DAYS,
    failDays = DEFAULT_FAIL_DAYS,
  }) => ({
    ...problem(
      'target',
      parseTlsTarget(target) !== null,
      'Enter a host or a host and port, such as shop.example or mail.example:993.',
    ),
    ...problem(
      'serverName',
      serverName === undefined || isHostName(serverName),
      'Enter a host name.',
    ),
    ...problem(
      'failDays',
      failDays <= warnDays,
      `Enter at most the ${warnDays} days below which the check is degraded.`,
    ),
  }),
} satisfies CheckRules<typeof tls.fields>;
