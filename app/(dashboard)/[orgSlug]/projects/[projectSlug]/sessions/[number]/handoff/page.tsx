import { EmptyState } from '@/app/_components/ui/empty-state';
import { HandoffView } from '../_components/handoff-view';
import { loadSession, type SessionParams } from '../_components/load-session';

export default async function HandoffPage({ params }: { params: Promise<SessionParams> }) {
  const { session } = await loadSession(params);
  const { handoff, receivedHandoff, parent, child, chainSessions, mechanism } = session;
  if (!handoff && !receivedHandoff) {
    return (
      <EmptyState isCard title="No handoff.">
        {session.endedAt
          ? 'A handoff is built when a session escalates. This one did not, and it received none.'
          : 'A handoff is built when the session ends with an escalation.'}
      </EmptyState>
    );
  }
  const above = chainSessions.find((candidate) => candidate.id === child?.id);
  return (
    <div className="flex max-w-page flex-col gap-6">
      {receivedHandoff && parent ? (
        <HandoffView
          title={`From Session #${parent.number} (tier ${parent.tier})`}
          handoff={receivedHandoff}
          use={sentenceOfUse(session.number, mechanism)}
        />
      ) : null}
      {handoff ? (
        <HandoffView
          title={`To tier ${handoff.toTier}`}
          handoff={handoff}
          use={
            above ? sentenceOfUse(above.number, above.mechanism) : 'No session has received it yet.'
          }
        />
      ) : null}
    </div>
  );
}

/** Whether a session was started from its handoff. */
function sentenceOfUse(number: number, mechanism: string | null): string {
  switch (mechanism) {
    case 'handoff':
      return `Session #${number} was started from this handoff.`;
    case 'resume':
      return `Session #${number} continued the conversation itself. This handoff was kept in case that failed.`;
    case null:
      return `How Session #${number} starts is decided when a runner takes it.`;
    default:
      return `Session #${number} started without it.`;
  }
}
