'use client';

import { type ReactNode, useState } from 'react';
import type { ActionResult } from '@/app/_actions/result';
import { loadPart } from '../reach/load-part';
import type { ProofDialog } from './proof-dialog';

interface Proof {
  /**
   * Runs a server action. When the server asks for a recent confirmation, asks the person for one
   * and runs it again. Without the confirmation, the first answer is returned.
   */
  run<Data>(act: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data>>;
  /** To be rendered beside the control. */
  dialog: ReactNode;
}

interface Asking {
  // Loaded before it is shown: what suspends may wait for the transition in which the act runs.
  Dialog: typeof ProofDialog;
  end: (isConfirmed: boolean) => void;
}

/** For sensitive actions. */
export function useProof(): Proof {
  const [asking, setAsking] = useState<Asking | null>(null);
  return {
    run: async (act) => {
      const answer = await act();
      // An action that redirects answers nothing.
      if (!answer || answer.ok || answer.error.code !== 'proof_required') return answer;
      const { ProofDialog } = await loadPart(() => import('./proof-dialog'));
      const isConfirmed = await new Promise<boolean>((end) =>
        setAsking({ Dialog: ProofDialog, end }),
      );
      setAsking(null);
      return isConfirmed ? act() : answer;
    },
    dialog: asking ? <asking.Dialog onEnd={asking.end} /> : null,
  };
}
