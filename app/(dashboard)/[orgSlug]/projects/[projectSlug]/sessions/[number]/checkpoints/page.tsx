import { ChevronRight } from 'lucide-react';
import { Markdown } from '@/app/_components/markdown/markdown';
import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { SafeText } from '@/app/_components/ui/safe-text';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { ProjectPageProps } from '@/app/page-props';
import { type CheckpointDto, listSessionCheckpoints } from '@/lib/insight/checkpoints';
import type { AttemptDto, RecoveredFrom } from '@/lib/insight/sessions/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { getCurrentProject } from '@/lib/projects/versions';
import type { CheckpointTrigger } from '@/lib/protocol/checkpoint';
import { CheckpointNow, DiscardSession } from '../_components/checkpoint-acts';
import { loadSession } from '../_components/load-session';
import { emptyCheckpoints } from '../_components/session-words';

export default async function CheckpointsPage({
  params,
  searchParams,
}: ProjectPageProps<'number'>) {
  const { scope, session, root } = await loadSession(params);
  const { checkpoint: opened } = await searchParams;
  const checkpoints = await listSessionCheckpoints(scope, session.id);
  const { config } = await getCurrentProject(scope, session.project.slug);
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

interface RecoveredCardProps {
  sessionNumber: number;
  attempts: readonly Pick<AttemptDto, 'id' | 'number' | 'recovery'>[];
  root: string;
}

const WHY: Record<RecoveredFrom['lineage'], string> = {
  attempt: 'The previous attempt was cut off.',
  parent: 'The attempt started without the conversation of the tier below.',
  project: 'The checkpoint comes from the previous chain.',
};

/** The text of an earlier checkpoint that each attempt started with. */
function RecoveredCard({ sessionNumber, attempts, root }: RecoveredCardProps) {
  return (
    <Card title="Recovered at the start">
      <div className="flex flex-col gap-4">
        {attempts.map(({ id, number, recovery }) =>
          recovery ? (
            <div key={id} className="flex flex-col gap-2">
              <RecoveredMark
                attemptLabel={`Session #${sessionNumber}.${number}`}
                recovery={recovery}
                root={root}
              />
              <p className="text-text-2 text-ui">{WHY[recovery.lineage]}</p>
              {recovery.section ? (
                <details>
                  <summary className="cursor-pointer text-ui">Text given to the agent</summary>
                  <pre className="mt-2 overflow-x-auto whitespace-pre-wrap rounded-control border border-line bg-sunken px-3 py-2 text-code">
                    <SafeText text={recovery.section} />
                  </pre>
                </details>
              ) : null}
            </div>
          ) : null,
        )}
      </div>
    </Card>
  );
}

/** Why a checkpoint was written. */
const TRIGGER_WORDS: Record<CheckpointTrigger, string> = {
  periodic: 'By interval',
  pre_compaction: 'Before a compaction',
  agent: 'By the agent',
  explicit: 'Asked for',
  session_end: 'At the end',
};

interface CheckpointDetailsProps {
  checkpoint: CheckpointDto;
  isOpen: boolean;
}

/** When, why and how much in a line; opened, what the session knew. */
function CheckpointDetails({ checkpoint, isOpen }: CheckpointDetailsProps) {
  const { id, label, trigger, at, counts, digest, remembered, queries, isLate } = checkpoint;
  // The agent's own digest tells none of them, the runner's cuts what is long.
  const isMissingInDigest = (text: string) => !digest.includes(text);
  return (
    <details id={id} open={isOpen} className="group scroll-mt-18">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-hover">
        <ChevronRight
          aria-hidden
          className="size-4 text-text-3 transition-transform group-open:rotate-90"
        />
        <span className="font-medium">{TRIGGER_WORDS[trigger]}</span>
        <Time at={at} className="text-text-2" />
        <span className="text-text-2 text-ui tabular-nums">
          {formatCounted(counts.prompts, 'prompt')}, {formatCounted(counts.toolResults, 'result')},{' '}
          {formatDuration(counts.elapsedMs)} in
        </span>
        <span className="text-meta text-text-3 tabular-nums">{label}</span>
        {isLate ? <span className="text-meta text-text-2">Late, never recovered from</span> : null}
      </summary>
      <div className="flex flex-col gap-4 px-4 pt-1 pb-4 pl-11 max-md:pl-4">
        <Markdown text={digest} />
        <Texts title="Remembered" texts={remembered.filter(isMissingInDigest)} />
        <Texts title="Searches" texts={queries.filter(isMissingInDigest)} />
      </div>
    </details>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-medium text-text-2 text-ui">{title}</h3>
      <ul className="flex max-w-prose list-disc flex-col gap-0.5 break-words pl-5 marker:text-text-3">
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts of one checkpoint never change places
          <li key={index}>
            <SafeText text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
