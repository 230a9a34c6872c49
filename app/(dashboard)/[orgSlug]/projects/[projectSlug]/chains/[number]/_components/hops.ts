import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { DecisionDto, HandoffDto, SessionItem } from '@/lib/insight/sessions/schema';

export interface Hop {
  from: SessionItem;
  to: SessionItem;
  /** Why the lower tier handed up. */
  escalation: DecisionDto | null;
  /** How each process of the higher tier was started; a fallback has two. */
  starts: DecisionDto[];
  handoff: HandoffDto | null;
}

/** Every step from a tier to the next, in order. */
export function hopsOf(chain: Pick<ChainDetail, 'sessions' | 'decisions' | 'handoffs'>): Hop[] {
  const { sessions, decisions, handoffs } = chain;
  return sessions.flatMap((to) => {
    const from = sessions.find((session) => session.id === to.parentSessionId);
    if (!from) return [];
    return {
      from,
      to,
      escalation:
        decisions.findLast(
          (decision) => decision.kind === 'escalation' && decision.sessionId === from.id,
        ) ?? null,
      starts: decisions.filter(
        (decision) => decision.kind === 'continuation' && decision.sessionId === to.id,
      ),
      handoff: handoffs.find((handoff) => handoff.fromSessionId === from.id) ?? null,
    };
  });
}
