'use server';

import { actionOf } from '@/app/_actions/action-of';
import * as runners from '@/lib/operations/runners';

/** The token is in the answer and nowhere else. */
export const createEnrolment = actionOf(runners.enrol);
export const drainRunner = actionOf(runners.drain);
export const resumeRunner = actionOf(runners.resume);
export const revokeRunner = actionOf(runners.revoke);
/** The host fetches its new key automatically. */
export const rotateKey = actionOf(runners.rotate);
export const setRunner = actionOf(runners.change);
/** After its running attempts, and after others of its pool. */
export const updateRunner = actionOf(runners.update);
export const updateRunners = actionOf(runners.updateAll);
export const cancelUpdate = actionOf(runners.endUpdate);
