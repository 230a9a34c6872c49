'use client';

import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import type { ApiTokenDto } from '@/lib/identity/api-tokens/schema';
import { revokeApiToken } from '../actions';

interface RevokeTokenProps {
  organizationSlug: string;
  token: Pick<ApiTokenDto, 'id' | 'name' | 'masked' | 'lastUsedAt'>;
}

export function RevokeToken({ organizationSlug, token }: RevokeTokenProps) {
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      }
      title={`Revoke ${token.name}`}
      confirmLabel="Revoke token"
      effects={[
        <>
          Requests with <code className="text-code">{token.masked}</code> get a 401 from now on.
        </>,
        token.lastUsedAt ? (
          <>
            It was last used <Time at={token.lastUsedAt} isPlain />.
          </>
        ) : (
          'It has not been used yet.'
        ),
        'This cannot be undone.',
      ]}
      onConfirm={() => revokeApiToken({ organizationSlug, tokenId: token.id })}
    />
  );
}
