import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { FactLine } from '@/app/_components/chains/fact-line';
import { SessionCost, SessionDuration } from '@/app/_components/sessions/session-table';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { TextLink } from '@/app/_components/ui/link';
import type { ProjectPageProps } from '@/app/page-props';
import { loadProject } from '../../_components/load-project';
import { loadSession } from '../[number]/_components/load-session';
import { SessionReport } from '../[number]/_components/session-report';

export const metadata: Metadata = { title: 'Sessions side by side' };

/** Shows the reports of the two sessions that were selected in the list. */
export default async function SideBySidePage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  // A stranger gets a 404, whatever is selected.
  await loadProject(orgSlug, projectSlug);
  const selected = [(await searchParams).session ?? []].flat();
  if (selected.length !== 2) redirect(`/${orgSlug}/projects/${projectSlug}/sessions`);
  return (
    <PageBody width="wide">
      <PageHeader title="Sessions side by side" />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {selected.map((number) => (
          <SessionColumn key={number} params={{ orgSlug, projectSlug, number }} />
        ))}
      </div>
    </PageBody>
  );
}

async function SessionColumn(props: {
  params: { orgSlug: string; projectSlug: string; number: string };
}) {
  const { session, root } = await loadSession(Promise.resolve(props.params));
  const { number, tier, status, model, version } = session;
  return (
    <section className="flex min-w-0 flex-col gap-4" aria-label={`Session #${number}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui">
        <StatusBadge kind="session" state={status} />
        <h2 className="text-section tabular-nums">
          <TextLink href={`${root}/sessions/${number}`}>Session #{number}</TextLink>
        </h2>
        <TierMark tier={tier as Tier} form="long" />
        <FactLine>
          {model}
          {`v${version}`}
          <SessionDuration {...session} />
          <SessionCost {...session} />
        </FactLine>
      </div>
      <SessionReport session={session} isNarrow />
    </section>
  );
}
