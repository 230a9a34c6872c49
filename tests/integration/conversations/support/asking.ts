/** Short words for what the tests of conversations do over and over. */

import { startConversation } from '@/lib/conversations/manage-conversations';
import { listTurns } from '@/lib/conversations/read-conversations';
import type { NewConversation, NewTurn, TurnDto } from '@/lib/conversations/schema';
import { askTurn } from '@/lib/conversations/turns';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { Cast } from '@/tests/support/cast/organization';
import { claimNext, type Played, play } from '@/tests/support/cast/scripted-attempt';

export interface Talk {
  id: string;
  /** Asks on and lets the agent answer. */
  ask(message: string, options?: Partial<NewTurn>, played?: Played): Promise<AttemptSpec>;
  turns(): Promise<TurnDto[]>;
  lastTurn(): Promise<TurnDto>;
}

/** A conversation whose first message is answered. */
export async function talk(
  cast: Cast,
  message = 'Is web well?',
  about: Partial<NewConversation> = {},
  events: RunnerEvent[] = [],
): Promise<Talk & { first: AttemptSpec }> {
  const project = about.chain ? {} : { project: cast.projectSlug };
  const { conversationId } = await startConversation(cast.alice, {
    ...project,
    message,
    forceFresh: false,
    ...about,
  });
  const first = await answerNext(cast.runner, `answer to ${message}`, { events });
  return { ...talkOf(cast, conversationId), first };
}

export function talkOf(cast: Cast, id: string): Talk {
  const turns = () => listTurns(cast.alice, id, { withCut: false });
  return {
    id,
    turns,
    async ask(message, options = {}, played = {}) {
      await askTurn(cast.alice, id, { message, forceFresh: false, ...options });
      return answerNext(cast.runner, `answer to ${message}`, played);
    },
    async lastTurn() {
      const last = (await turns()).at(-1);
      if (!last) throw new Error('The conversation has no turn.');
      return last;
    },
  };
}

/** The runner claims the turn that waits, and the agent says this. */
export async function answerNext(
  runner: TenantScope,
  text: string,
  played: Played = {},
): Promise<AttemptSpec> {
  const spec = await claimNext(runner);
  await play(runner, spec, { report: null, text, ...played });
  return spec;
}

/** What a start takes along of what was said before. */
export function carried(spec: AttemptSpec): 'fresh' | 'resume' | 'transcript' | 'handoff' {
  return spec.start.continuation.mode;
}
