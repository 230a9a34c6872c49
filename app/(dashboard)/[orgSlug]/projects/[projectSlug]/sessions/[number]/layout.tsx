import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { LogProvider } from '@/app/_components/log/log-provider';
import { PendingLine } from '@/app/_components/pending-approvals';
import { PageBody } from '@/app/_components/shell/page-header';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { pricesOf } from '@/lib/agents/registry';
import { listRunners } from '@/lib/fleet/manage-runners';
import { listPending } from '@/lib/insight/approvals/list-approvals';
import { listRequestUsages } from '@/lib/insight/sessions/events';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadSession, type SessionParams } from './_components/load-session';
import {
  bookedOf,
  SessionHeader,
  SessionLinks,
  sessionSentence,
} from './_components/session-header';
import { SessionTabs } from './_components/session-tabs';
import { StopSession } from './_components/stop-session';

interface SessionLayoutProps {
  params: Promise<SessionParams>;
  children: ReactNode;
}

export async function generateMetadata({ params }: SessionLayoutProps): Promise<Metadata> {
  const { session } = await loadSession(params);
  return { title: visibleText(`Session #${session.number} · ${session.project.name}`) };
}

export default async function SessionLayout({ params, children }: SessionLayoutProps) {
  const { scope, session, root } = await loadSession(params);
  const { number, endedAt, status } = session;
  const organizationSlug = scope.organizationSlug;
  const isWaiting = status === 'queued' || status === 'waiting';
  const runners = isWaiting ? (await listRunners(scope, { limit: 100 })).data : [];
  const isMoving = endedAt === null && status !== 'stopping';
  const pending =
    endedAt === null ? await listPending(scope, { session: session.id, limit: 20 }) : [];
  const usages = endedAt === null ? await listRequestUsages(scope, session.id) : [];
  return (
    <LogProvider
      key={session.id}
      organizationSlug={organizationSlug}
      projectId={session.project.id}
      sessions={[
        {
          ...{ id: session.id, status, statusText: session.statusText, lastSeq: session.lastSeq },
          isEnded: endedAt !== null,
          // The log is loaded with its own tab.
          log: null,
          usages,
          prices: pricesOf(session.attempts.at(-1)?.harness),
        },
      ]}
    >
      <PageBody
        width="wide"
        // A log fills what the header leaves of the window, and scrolls by itself.
        className="group/page gap-2 pt-2 max-md:gap-2 max-md:pt-2 has-[[data-fills-viewport]]:flex-1 has-[[data-fills-viewport]]:basis-0 has-[[data-fills-viewport]]:gap-1.5 has-[[data-fills-viewport]]:pb-2"
      >
        <SessionHeader
          session={session}
          root={root}
          sentence={sessionSentence(session, runners)}
          actions={
            isMoving ? (
              <NeedsRole refusal={await refusalOf(scope, 'operator')} label="Stop">
                <StopSession
                  organizationSlug={organizationSlug}
                  session={{
                    number,
                    chainId: session.chainId,
                    chainNumber: session.chainNumber,
                  }}
                  booked={bookedOf(session)}
                />
              </NeedsRole>
            ) : null
          }
        />
        <PendingLine approvals={pending} orgSlug={organizationSlug} />
        <SessionTabs base={`${root}/sessions/${number}`} sessionNumber={number}>
          <SessionLinks session={session} root={root} />
        </SessionTabs>
        {children}
      </PageBody>
    </LogProvider>
  );
}
