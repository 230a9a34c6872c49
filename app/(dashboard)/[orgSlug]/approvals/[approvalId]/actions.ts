'use server';

import { actionOf } from '@/app/_actions/action-of';
import * as approvals from '@/lib/operations/approvals';

/** `digest`: of what the page showed. */
export const decide = actionOf(approvals.decide);
