import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import type { PageProps } from '@/app/page-props';
import { listApiTokens } from '@/lib/identity/api-tokens/service';
import { requireMember } from '@/lib/identity/auth/current-user';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { CreateToken } from './_components/create-token';
import { EndedTokenTable, isEnded, TokenTable, tokensSentence } from './_components/token-table';

export const metadata: Metadata = { title: 'API tokens' };

const PAGE_SIZE = 100;

export default async function TokensPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const refusal = await refusalOf(scope, 'admin');
  const reference = <DocLink to="reference">API reference</DocLink>;
  const createToken = (
    <NeedsRole refusal={refusal} label="Create token" look="primary">
      <CreateToken organizationSlug={orgSlug} />
    </NeedsRole>
  );
  if (refusal) {
    return (
      <PageBody width="wide">
        <PageHeader title="API tokens" meta={reference} actions={createToken} />
        <EmptyState isCard title="Tokens are listed for admins.">
          Only admins and owners can see and create tokens.
        </EmptyState>
      </PageBody>
    );
  }
  const { cursor } = await searchParams;
  const { data: tokens, nextCursor } = await listApiTokens(scope, {
    limit: PAGE_SIZE,
    cursor: typeof cursor === 'string' ? cursor : undefined,
  });
  const now = new Date();
  const base = `/${orgSlug}/settings/tokens`;
  const live = tokens.filter((token) => !isEnded(token, now));
  const ended = tokens.filter((token) => isEnded(token, now));
  return (
    <PageBody width="wide">
      <PageHeader
        title="API tokens"
        meta={reference}
        sentence={tokensSentence(tokens, now)}
        actions={createToken}
      />
      {live.length > 0 ? (
        <TokenTable organizationSlug={orgSlug} tokens={live} now={now} />
      ) : (
        <EmptyState isCard title={ended.length > 0 ? 'No valid tokens.' : 'No tokens.'}>
          A token lets a program call the REST API within its scopes. It is shown once and expires.
        </EmptyState>
      )}
      {ended.length > 0 ? (
        <section className="flex flex-col gap-2">
          <h2 className="text-card">Inactive</h2>
          <EndedTokenTable tokens={ended} />
        </section>
      ) : null}
      <Pagination
        newerHref={cursor ? base : null}
        olderHref={nextCursor ? `${base}?cursor=${nextCursor}` : null}
      />
    </PageBody>
  );
}
