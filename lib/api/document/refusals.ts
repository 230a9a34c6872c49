import type { RouteDescription } from '../route-description';

/** An answer that is no success, and when it comes. */
interface Refusal {
  status: number;
  when: string;
}

const WRONG_FIELD = 'A field is wrong; `fields` says which and why.';

/** Returns every error response of an operation, by status. */
export function refusalsOf(route: RouteDescription): Refusal[] {
  const repeats = 'the first request with this Idempotency-Key is still running';
  const found: Record<number, (string | false | null | undefined)[]> = {
    400: [route.query && route.queryRefusal === 400 && WRONG_FIELD],
    401: [route.auth !== 'public' && 'No token, or one that is unknown, expired or revoked.'],
    403: [route.scopes.length > 0 && 'The token lacks the scope, or its role is too low.'],
    404: [route.params && 'It doesn’t exist, or it belongs to another organization.'],
    409: [route.refusals[409], route.method === 'POST' && sentence(repeats)],
    412: [route.refusals[412]],
    413: [route.body && 'The body is larger than 1,000,000 bytes.'],
    415: [route.body && 'The body is not sent as `application/json`.'],
    422: [
      (route.body || (route.query && route.queryRefusal === 422)) && WRONG_FIELD,
      route.method === 'POST' && 'The Idempotency-Key was used with a different body.',
    ],
    429: [
      route.auth === 'apiKey' && 'Too many requests; wait the number of seconds in `Retry-After`.',
    ],
  };
  return Object.entries(found).flatMap(([status, reasons]) => {
    const when = reasons.filter(Boolean).join(' ');
    return when ? [{ status: Number(status), when }] : [];
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
