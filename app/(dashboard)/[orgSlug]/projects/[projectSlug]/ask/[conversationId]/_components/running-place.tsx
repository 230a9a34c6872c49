import { pricesOf } from '@/lib/agents/registry';
import type { TurnDto } from '@/lib/conversations/schema';
import { listEvents } from '@/lib/insight/sessions/events';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { HarnessName } from '@/lib/protocol/spec';
import { RunningTurn } from './running-turn';
import { StopTurn } from './stop-turn';

/** Drawn by the server; the stream brings the rest. */
const FIRST_EVENTS = 300;

interface RunningPlaceProps {
  scope: TenantScope;
  turn: TurnDto;
  /** The agent CLI that answers; null where the project has no such agent any more. */
  harness: HarnessName | null;
  mayStop: boolean;
  reviewHref: string | null;
}

/** A turn that goes on, with what is known of it when the page is made. */
export async function RunningPlace(props: RunningPlaceProps) {
  const { scope, turn, harness, mayStop, reviewHref } = props;
  const { session, status, statusText, startedAt, conversationId } = turn;
  const { events, writing } = await listEvents(scope, session.id, {
    after: 0,
    limit: FIRST_EVENTS,
  });
  return (
    <RunningTurn
      key={session.id}
      organizationSlug={scope.organizationSlug}
      session={session}
      status={status}
      statusText={statusText}
      startedAt={startedAt}
      initial={events}
      writing={writing}
      prices={pricesOf(harness)}
      reviewHref={reviewHref}
      actions={
        mayStop && status !== 'stopping' ? (
          <StopTurn
            organizationSlug={scope.organizationSlug}
            conversationId={conversationId}
            turn={turn}
          />
        ) : null
      }
    />
  );
}
