import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { listSessionCheckpoints } from '@/lib/insight/checkpoints';
import { getProjectInForce } from '@/lib/projects/versions';
import { CheckpointDetails } from '../_components/checkpoint-details';
import { CheckpointNow } from '../_components/checkpoint-now';
import { DiscardSession } from '../_components/discard-session';
import { emptyCheckpoints } from '../_components/empty-checkpoints';
import { loadSession, type SessionParams } from '../_components/load-session';
import { RecoveredCard } from '../_components/recovered-card';

interface CheckpointsPageProps {
  params: Promise<SessionParams>;
  searchParams: Promise<{ checkpoint?: string | string[] }>;
}

export default async function CheckpointsPage({ params, searchParams }: CheckpointsPageProps) {
  const { scope, session, root } = await loadSession(params);
  const { checkpoint: opened } = await searchParams;
  const checkpoints = await listSessionCheckpoints(scope, session.id);
  const { config } = await getProjectInForce(scope, session.project.slug);
  const refusal = await refusalOf(scope, 'operator');
  const about = { organizationSlug: scope.organizationSlug, session };
  const attempt = session.attempts.at(-1);
  const isRunning = attempt?.status === 'claimed' || attempt?.status === 'running';
  const recovered = session.attempts.filter(({ recovery }) => recovery !== null);
  const canDiscard = checkpoints.length > 0 && session.discardedAt === null;
  const empty = emptyCheckpoints(session, config.checkpoints, new Date());
  return (
    <div className="flex max-w-page flex-col gap-6">
      {recovered.length > 0 ? (
        <RecoveredCard sessionNumber={session.number} attempts={recovered} root={root} />
      ) : null}
      <Card
        title="Checkpoints"
        note={checkpoints.length}
        isFlush
        actions={
          <>
            {isRunning && config.checkpoints.enabled ? (
              <NeedsRole refusal={refusal} label="Checkpoint now" size="sm">
                <CheckpointNow {...about} isAsked={attempt.checkpointRequestedAt !== null} />
              </NeedsRole>
            ) : null}
            {canDiscard && (refusal === null || !isRunning) ? (
              <NeedsRole refusal={refusal} label="Discard" size="sm">
                <DiscardSession {...about} count={checkpoints.length} />
              </NeedsRole>
            ) : null}
          </>
        }
      >
        {session.discardedAt ? (
          <p className="border-line border-b px-4 py-2 text-text-2 text-ui">
            Discarded by {session.discardedBy}: no start recovers from this session.
          </p>
        ) : null}
        {checkpoints.length === 0 ? (
          <EmptyState title={empty.title}>{empty.text}</EmptyState>
        ) : (
          <ol aria-label="Checkpoints">
            {checkpoints.map((checkpoint, index) => (
              <li key={checkpoint.id} className="border-line border-t first:border-t-0">
                <CheckpointDetails
                  checkpoint={checkpoint}
                  isOpen={opened ? checkpoint.id === opened : index === 0}
                />
              </li>
            ))}
          </ol>
        )}
      </Card>
    </div>
  );
}
