'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import type { ActionResult } from '@/app/_actions/result';
import { loadPart } from '../reach/load-part';

const ProofDialog = dynamic(
  async () => (await loadPart(() => import('./proof-dialog'))).ProofDialog,
  { loading: () => null },
);

interface Proof {
  /**
   * Runs a server action. When the server asks for a recent confirmation, asks the person for one
   * and runs it again. Without the confirmation, the first answer is returned.
   */
  run<Data>(act: () => Promise<ActionResult<Data>>): Promise<ActionResult<Data>>;
  /** To be rendered beside the control. */
  dialog: ReactNode;
}

/** For acts that do much. */
export function useProof(): Proof {
  const [end, setEnd] = useState<((isConfirmed: boolean) => void) | null>(null);
  return {
    run: async (act) => {
      const answer = await act();
      // An action that redirects answers nothing.
      if (!answer || answer.ok || answer.error.code !== 'proof_required') return answer;
      const isConfirmed = await new Promise<boolean>((resolve) => setEnd(() => resolve));
      setEnd(null);
      return isConfirmed ? act() : answer;
    },
    dialog: end ? <ProofDialog onEnd={end} /> : null,
  };
}
