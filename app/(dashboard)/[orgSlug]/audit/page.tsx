import type { Metadata } from 'next';
import { hrefWith } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState, NoMatch } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import type { PageProps } from '@/app/page-props';
import { browseAudit } from '@/lib/identity/audit/read-audit';
import { requireMember } from '@/lib/identity/auth/current-user';
import { nameAuditTargets } from '@/lib/insight/audit-targets';
import { formatCount } from '@/lib/platform/format/count';
import { NeedsRole } from '../_components/needs-role';
import { refusalOf } from '../_components/permission';
import { AuditFilters } from './_components/audit-filters';
import { auditViewOf, exportHref } from './_components/audit-view';
import { EntryList } from './_components/entry-list';
import { ExportButton } from './_components/export-button';
import { VerificationAnswer, VerificationProvider, VerifyButton } from './_components/verify-audit';

export const metadata: Metadata = { title: 'Audit log' };

const PAGE_SIZE = 50;

export default async function AuditPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const refusal = await refusalOf(scope, 'admin');
  if (refusal) {
    return (
      <PageBody width="wide">
        <PageHeader
          title="Audit log"
          actions={
            <NeedsRole refusal={refusal} label="Verify the log" look="primary">
              <VerifyButton />
            </NeedsRole>
          }
        />
        <EmptyState isCard title="The audit log is for admins.">
          It shows who changed what, with the values before and after. Admins and owners can read
          and verify it.
        </EmptyState>
      </PageBody>
    );
  }
  const asked = await searchParams;
  const view = auditViewOf(asked, new Date());
  const { filter, before, after } = view;
  const page = await browseAudit(scope, filter, { before, after, limit: PAGE_SIZE });
  const targets = await nameAuditTargets(
    scope,
    page.entries.map((entry) => entry.target),
  );
  const path = `/${orgSlug}/audit`;
  const [newest, oldest] = [page.entries.at(0), page.entries.at(-1)];
  return (
    <VerificationProvider organizationSlug={orgSlug}>
      <PageBody width="wide">
        <PageHeader
          title="Audit log"
          meta={<DocLink to="security#the-audit-log">What the audit log covers</DocLink>}
          sentence="Every change and decision, newest first. Each entry’s hash covers the entry before it, so a changed or removed entry is detected."
          actions={
            <>
              <ExportButton
                organizationSlug={orgSlug}
                href={exportHref(orgSlug, filter, 'csv')}
                label="CSV"
                isWanted={view.wantedFile === 'csv'}
              />
              <ExportButton
                organizationSlug={orgSlug}
                href={exportHref(orgSlug, filter, 'jsonl')}
                label="JSON lines"
                isWanted={view.wantedFile === 'jsonl'}
              />
              <VerifyButton />
            </>
          }
        />
        <VerificationAnswer />
        <div className="flex flex-col gap-4">
          <AuditFilters path={path} params={asked} view={view} page={page} />
          {page.entries.length > 0 ? (
            <EntryList
              orgSlug={orgSlug}
              entries={page.entries}
              projects={page.projects}
              targets={targets}
            />
          ) : (
            <Card isFlush>
              {view.isFiltered || before || after ? (
                <NoMatch what="entries" clearHref={path} />
              ) : (
                <EmptyState title="No entries yet.">
                  The first change writes the first entry.
                </EmptyState>
              )}
            </Card>
          )}
          <Pagination
            newerHref={
              page.newerThan === null ? null : hrefWith(path, asked, { after: `${page.newerThan}` })
            }
            olderHref={
              page.olderThan === null
                ? null
                : hrefWith(path, asked, { before: `${page.olderThan}` })
            }
          >
            {newest && oldest
              ? `Entries ${formatCount(newest.seq)} to ${formatCount(oldest.seq)}${view.isFiltered ? ', those that match' : ''}`
              : null}
          </Pagination>
        </div>
      </PageBody>
    </VerificationProvider>
  );
}
