'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  discardSession as discard,
  requestCheckpoint as request,
} from '@/lib/engine/checkpoints/manage-checkpoints';

const ofSession = z.object({ sessionId: z.string() });

export const requestCheckpoint = action(ofSession, async ({ scope, input }) => {
  await request(scope, input.sessionId);
});

/** Keeps later starts from recovering the session's checkpoints. */
export const discardSession = action(ofSession, async ({ scope, input }) => {
  await discard(scope, input.sessionId);
});
