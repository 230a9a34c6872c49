import type { Metadata } from 'next';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import { listAudit } from '@/lib/audit/service/read-audit';
import { requireMember } from '@/lib/auth/require-member';
import { formatCount } from '@/lib/format/count';
import { NeedsRole } from '../_components/needs-role';
import { refusalOf } from '../_components/permission';
import { EntryList } from './_components/entry-list';
import { VerificationAnswer, VerificationProvider, VerifyButton } from './_components/verify-audit';

export const metadata: Metadata = { title: 'Audit log' };

const PAGE_SIZE = 50;

interface AuditPageProps {
  params: Promise<{ orgSlug: string }>;
  searchParams: Promise<{ cursor?: string | string[] }>;
}

export default async function AuditPage({ params, searchParams }: AuditPageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const refusal = await refusalOf(scope, 'admin');
  if (refusal) {
    return (
      <PageBody width="wide">
        <PageHeader
          title="Audit log"
          actions={
            <NeedsRole refusal={refusal} label="Verify" look="primary">
              <VerifyButton />
            </NeedsRole>
          }
        />
        <Card isFlush>
          <EmptyState title="The audit log is for admins.">
            It tells who changed what, and how it was before. Admins and owners read and verify it.
          </EmptyState>
        </Card>
      </PageBody>
    );
  }
  const { cursor: given } = await searchParams;
  const cursor = typeof given === 'string' ? given : undefined;
  const { data: entries, nextCursor } = await listAudit(scope, { limit: PAGE_SIZE, cursor });
  const newest = entries[0]?.seq ?? 0;
  const base = `/${orgSlug}/audit`;
  return (
    <VerificationProvider organizationSlug={orgSlug}>
      <PageBody width="wide">
        <PageHeader
          title="Audit log"
          meta={
            <a
              href={`/api/v1/audit?organization=${orgSlug}&limit=100`}
              className="link"
              target="_blank"
              rel="noreferrer"
            >
              As JSON
            </a>
          }
          sentence="Every change and every decision. Each entry’s hash covers the one before, so nothing can be changed or taken out unseen."
          actions={<VerifyButton />}
        />
        <VerificationAnswer />
        <EntryList orgSlug={orgSlug} entries={entries} />
        <Pagination
          newerHref={cursor ? base : null}
          olderHref={nextCursor ? `${base}?cursor=${nextCursor}` : null}
        >
          {entries.length === 0
            ? null
            : `Entries ${formatCount(entries.at(-1)?.seq ?? 0)} to ${formatCount(newest)}`}
        </Pagination>
      </PageBody>
    </VerificationProvider>
  );
}
