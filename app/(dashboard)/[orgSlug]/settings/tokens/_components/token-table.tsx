import { Time } from '@/app/_components/status/time';
import { cn } from '@/app/_components/ui/cn';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { ApiTokenDto } from '@/lib/identity/api-tokens/schema';
import { RevokeToken } from './revoke-token';

interface TokenTableProps {
  organizationSlug: string;
  tokens: readonly ApiTokenDto[];
  now: Date;
}

export function TokenTable({ organizationSlug, tokens, now }: TokenTableProps) {
  const columns: Column<ApiTokenDto>[] = [
    ...WHAT_IT_IS,
    {
      header: 'Expires',
      cell: (token) =>
        token.expiresAt ? (
          <Time
            at={token.expiresAt}
            isPlain
            className={cn(endsSoon(token, now) && 'font-medium text-wait-fg')}
          />
        ) : (
          'Never'
        ),
    },
    {
      header: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} isPlain /> : 'Not yet'),
    },
    {
      header: 'Acts',
      isHeaderHidden: true,
      align: 'end',
      phone: 'aside',
      cell: ({ id, name, masked, lastUsedAt }) => (
        <RevokeToken organizationSlug={organizationSlug} token={{ id, name, masked, lastUsedAt }} />
      ),
    },
  ];
  return (
    <DataTable label="API tokens" columns={columns} rows={tokens} rowKey={(token) => token.id} />
  );
}

/** Lists expired and revoked tokens. */
export function EndedTokenTable({ tokens }: { tokens: readonly ApiTokenDto[] }) {
  const columns: Column<ApiTokenDto>[] = [
    ...WHAT_IT_IS,
    {
      header: 'Inactive since',
      cell: ({ revokedAt, expiresAt }) => (
        <>
          {revokedAt ? 'Revoked' : 'Expired'}{' '}
          <Time at={revokedAt ?? expiresAt ?? ''} isPlain className="text-text-2" />
        </>
      ),
    },
  ];
  return (
    <DataTable
      label="Inactive tokens"
      columns={columns}
      rows={tokens}
      rowKey={(token) => token.id}
    />
  );
}

const WHAT_IT_IS: Column<ApiTokenDto>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    header: 'Token',
    cell: ({ masked }) => <code className="text-code">{masked}</code>,
  },
  {
    header: 'Scopes',
    className: 'md:max-w-90',
    cell: ({ scopes }) =>
      scopes.includes('all') ? (
        'Everything an admin can do'
      ) : (
        <code className="break-words text-code">{scopes.join(', ')}</code>
      ),
  },
  {
    header: 'Created',
    cell: ({ createdBy, createdAt }) => (
      <>
        <Time at={createdAt} isPlain /> <span className="text-text-2">by {createdBy}</span>
      </>
    ),
  },
];

const SOON_MS = 7 * 86_400_000;

type Ends = Pick<ApiTokenDto, 'expiresAt' | 'revokedAt'>;

/** Revoked or past its end: worth nothing. */
export function isEnded({ expiresAt, revokedAt }: Ends, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now.getTime());
}

/** Returns whether the token expires soon enough that its user has to act. */
export function endsSoon({ expiresAt }: Ends, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - now.getTime() <= SOON_MS;
}

/** How many tokens count, and how many of them end within a week. */
export function tokensSentence(tokens: readonly Ends[], now: Date): string {
  const live = tokens.filter((token) => !isEnded(token, now));
  if (live.length === 0) return 'No valid tokens: nothing can call the API.';
  const count = live.length === 1 ? '1 token is valid' : `${live.length} tokens are valid`;
  const soon = live.filter((token) => endsSoon(token, now)).length;
  if (soon === 0) return `${count}. None of them expires within 7 days.`;
  return `${count}. ${soon === 1 ? '1 expires' : `${soon} expire`} within 7 days. Create a replacement before then.`;
}
