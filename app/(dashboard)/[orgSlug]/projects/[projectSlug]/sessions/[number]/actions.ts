'use server';

import { actionOf } from '@/app/_actions/action-of';
import * as sessions from '@/lib/operations/sessions';

export const requestCheckpoint = actionOf(sessions.requestCheckpoint);
export const discardSession = actionOf(sessions.discard);
