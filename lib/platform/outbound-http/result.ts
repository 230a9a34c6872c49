import { StringDecoder } from 'node:string_decoder';

/** Why a request brought no usable answer. The names are stored and shown. */
export type OutboundFailureReason =
  | 'private_address'
  | 'metadata_address'
  | 'http_not_allowed'
  | 'bad_url'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_timeout'
  | 'tls_failed'
  | 'response_timeout'
  | 'too_large'
  | 'redirect'
  | 'other';

/** The target answered with a status that is no redirect. 500 is an answer, too. */
interface OutboundAnswer {
  ok: true;
  status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  headers: Record<string, string>;
  /** At most `maxResponseBytes` of it. */
  bodyText: string;
  isBodyTruncated: boolean;
  durationMs: number;
  /** The IP address that was connected to. */
  address: string;
}

export interface OutboundFailure {
  ok: false;
  reason: OutboundFailureReason;
  /** True when a retry can't succeed until someone changes the target. */
  isPermanent: boolean;
  /** For people: what happened and why. Holds no secrets of the URL. */
  message: string;
  /** Only for a redirect. */
  status: number | null;
  durationMs: number;
  /** Null when nothing was connected to. */
  address: string | null;
}

export type OutboundResult = OutboundAnswer | OutboundFailure;

const PERMANENT: ReadonlySet<OutboundFailureReason> = new Set([
  'private_address',
  'metadata_address',
  'http_not_allowed',
  'bad_url',
]);

export function isPermanentFailure(reason: OutboundFailureReason): boolean {
  return PERMANENT.has(reason);
}

/**
 * Reads at most `maxBytes` of a body as UTF-8 and leaves the rest unread. A character cut in two is
 * dropped; NUL becomes U+FFFD, since PostgreSQL stores none.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ text: string; isTruncated: boolean }> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    const left = maxBytes - bytes;
    text += decoder.write(Buffer.from(chunk.subarray(0, left)));
    bytes += chunk.length;
    if (bytes > maxBytes) return { text: withoutNul(text), isTruncated: true };
  }
  return { text: withoutNul(text + decoder.end()), isTruncated: false };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
