import type { Continuation } from '@/lib/protocol/spec';
import type { StartDecision } from './schema';

/** What a start takes along from its predecessor: at most one of the three is there. */
export interface CarriedStart {
  continuation: Continuation;
  /** For the system prompt. */
  handoffContext: string | null;
  /** For the prompt. */
  transcript: string | null;
}

/** What stands ready. A text that the decision does not want is left where it is. */
export interface Carriers {
  handoffContext: string | null;
  transcript: string | null;
}

/**
 * The start that a decision means. Resume flag, handoff and transcript come from this one value,
 * so a start can't carry two of them, and none only where nothing came before it.
 */
export function startContinuation(decision: StartDecision, carriers: Carriers): CarriedStart {
  const nothing = { handoffContext: null, transcript: null };
  switch (decision.mode) {
    case 'fresh':
      return { continuation: { mode: 'fresh' }, ...nothing };
    case 'resume': {
      const { parentCliSessionId, workDirInode, transcript } = decision;
      const continuation = {
        mode: 'resume',
        parentCliSessionId,
        workDirInode,
        transcript,
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
