import type { Continuation } from '@/lib/protocol/spec';
import type { StartDecision } from './schema';

/** What a start carries from its predecessor: at most one of the three is set. */
export interface CarriedStart {
  continuation: Continuation;
  /** Part of the system prompt. */
  handoffContext: string | null;
  /** Part of the prompt. */
  transcript: string | null;
}

/** The texts that are available. Those that the decision doesn't need aren't used. */
interface Carriers {
  handoffContext: string | null;
  transcript: string | null;
}

/**
 * Returns the start for a decision. Resume flag, handoff and transcript come from this one value,
 * so a start can't carry two of them, and carries none only without a predecessor.
 */
export function startContinuation(decision: StartDecision, carriers: Carriers): CarriedStart {
  const nothing = { handoffContext: null, transcript: null };
  switch (decision.mode) {
    case 'fresh':
      return { continuation: { mode: 'fresh' }, ...nothing };
    case 'resume': {
      const { parentCliSessionId, workDirInode, transcript, sealId } = decision;
      const continuation = {
        mode: 'resume',
        parentCliSessionId,
        workDirInode,
        transcript,
        sealId,
      } as const;
      return { continuation, ...nothing };
    }
    case 'handoff':
    case 'reconcile': {
      const handoffContext = present(carriers.handoffContext, 'handoff');
      return { ...nothing, continuation: { mode: 'handoff' }, handoffContext };
    }
    case 'transcript': {
      const transcript = present(carriers.transcript, 'transcript');
      return { ...nothing, continuation: { mode: 'transcript' }, transcript };
    }
  }
}

function present(text: string | null, what: string): string {
  if (!text) throw new Error(`The decision asks for a ${what}, and none was loaded.`);
  return text;
}
