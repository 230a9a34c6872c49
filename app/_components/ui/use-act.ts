'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionResult } from '@/app/_actions/result';

type Ask<Data> = () => Promise<ActionResult<Data>>;

/** Long enough to notice that it was the wrong one. */
const UNDO_MS = 30_000;

/**
 * Runs server actions, one at a time. Says what went wrong, and reads the page again.
 *
 * @returns `act`, whose second argument is called once it is done; `isPending`; and `sayDone`, whose
 *   second argument takes it back while its text is shown
 */
export function useAct() {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function act<Data>(ask: Ask<Data>, onDone?: (data: Data) => void) {
    if (isPending) return;
    startTransition(async () => {
      const answer = await ask();
      if (answer.ok) onDone?.(answer.data);
      else toast.error(answer.error.message);
      router.refresh();
    });
  }

  function sayDone(text: string, undo?: Ask<unknown>) {
    const action = undo && { label: 'Undo', onClick: () => act(undo) };
    toast.success(text, action && { duration: UNDO_MS, action });
  }

  return { act, isPending, sayDone };
}
