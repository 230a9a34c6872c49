import { createHash } from 'node:crypto';
import type { TenantScope } from '@/lib/platform/db/scope';
import { InvalidError } from '@/lib/platform/errors';
import type { IdempotentRequest } from './schema';

/** The request as one that may be repeated: a POST by token with the header, else null. */
export function idempotentRequestOf(
  request: Request,
  scope: TenantScope | null,
  bodyText: string,
): IdempotentRequest | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || request.method !== 'POST' || scope?.actor.kind !== 'api_token') return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new InvalidError('An Idempotency-Key has 1 to 255 printable characters.', {
      'Idempotency-Key': 'has 1 to 255 printable characters',
    });
  }
  const { pathname, search } = new URL(request.url);
  return {
    tokenId: scope.actor.id,
    route: `POST ${pathname}${search}`,
    key,
    bodyHash: createHash('sha256').update(bodyText, 'utf8').digest('hex'),
  };
}
