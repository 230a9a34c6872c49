import { classifyAddress, isAddress } from './address-policy';
import type { OutboundFailureReason } from './result';

const LONGEST_URL = 2_048;
const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog'];

export interface TargetRules {
  /** Operator setting TIERWATCH_ALLOW_PRIVATE_TARGETS; also allows plain http. */
  allowPrivate: boolean;
}

export type TargetCheck =
  | { ok: true; url: URL }
  | { ok: false; reason: OutboundFailureReason; message: string };

/**
 * What can be said about a target before its name is resolved. The URL parser has already turned
 * `2130706433`, `0x7f.1` and `0177.0.0.1` into 127.0.0.1, so that only one form is looked at.
 */
export function checkTarget(text: string, rules: TargetRules): TargetCheck {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return refusal('bad_url', 'Enter a full URL, such as https://hooks.example.com/tierwatch.');
  }
  if (url.username || url.password) {
    return refusal('bad_url', 'The URL contains a user name or password. Leave them out.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const wrongPlace = isAddress(host) ? checkAddress(host, host, rules) : checkName(host, rules);
  if (wrongPlace) return wrongPlace;
  if (url.protocol === 'http:' && !rules.allowPrivate) {
    return refusal(
      'http_not_allowed',
      'Plain http would send the contents unprotected. Use https.',
    );
  }
  return { ok: true, url };
}

/** Null when `address`, which `host` resolved to, may be connected to. */
export function checkAddress(
  host: string,
  address: string,
  rules: TargetRules,
): Extract<TargetCheck, { ok: false }> | null {
  const subject = host === address ? `${host} is` : `${host} resolved to ${address},`;
  switch (classifyAddress(address)) {
    case 'metadata':
      return refusal(
        'metadata_address',
        `${subject} a metadata address. Deliveries there are refused and not retried.`,
      );
    case 'private':
      if (rules.allowPrivate) return null;
      return refusal(
        'private_address',
        `${subject} a private address. Deliveries there are refused and not retried.`,
      );
    case 'public':
      return null;
  }
}

function checkName(host: string, rules: TargetRules) {
  if (METADATA_NAMES.includes(host)) {
    return refusal(
      'metadata_address',
      `${host} is a metadata address. Deliveries there are refused and not retried.`,
    );
  }
  if (!rules.allowPrivate && (host === 'localhost' || host.endsWith('.localhost'))) {
    return refusal(
      'private_address',
      `${host} is a private address. Deliveries there are refused and not retried.`,
    );
  }
  return null;
}

function refusal(reason: OutboundFailureReason, message: string) {
  return { ok: false as const, reason, message };
}
