import type { Pointer } from '../schema';
import { CONVERSATION_GUARDS } from './conversation';
import { EFFECT_GUARDS, REQUEST_GUARDS } from './effects';
import type { Guard } from './guard';
import { POINTER_GUARDS } from './pointer';
import { RUNTIME_GUARDS } from './runtime';
import { PREDECESSOR_GUARDS, STANDING_GUARDS } from './standing';

/**
 * What the runner compares with its disk right before it starts a process that resumes, in this
 * order. A difference starts nothing: the attempt ends as `end`, and the next start carries the
 * handoff.
 */
export const RUNNER_CHECKS = [
  {
    id: 'R1',
    name: 'The work directory is unchanged',
    fact: 'work_dir',
    end: 'work_dir_changed',
    isKnown: (pointer: Pointer) => pointer.workDirInode !== null,
  },
  {
    id: 'R2',
    name: 'The transcript is unchanged',
    fact: 'transcript',
    end: 'transcript_changed',
    isKnown: (pointer: Pointer) => pointer.transcript !== null,
  },
] as const;

/**
 * All guards, in the order of their evaluation. Those against doing something twice come before
 * anything that could start a process, so that not even a forced fresh start bypasses them.
 */
export const GUARDS: readonly Guard[] = [
  ...STANDING_GUARDS,
  ...EFFECT_GUARDS,
  ...PREDECESSOR_GUARDS,
  ...REQUEST_GUARDS,
  ...POINTER_GUARDS,
  ...RUNTIME_GUARDS,
  ...CONVERSATION_GUARDS,
];
