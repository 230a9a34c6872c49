import { CONVERSATION_GUARDS } from './conversation';
import { EFFECT_GUARDS, WISH_GUARDS } from './effects';
import type { Guard } from './guard';
import { POINTER_GUARDS } from './pointer';
import { RUNTIME_GUARDS } from './runtime';
import { PREDECESSOR_GUARDS, STANDING_GUARDS } from './standing';

/**
 * All guards, in the order in which they are asked. What may be done twice is asked before
 * anything that could start a process, so neither a fresh start nor a forced one leads past it.
 */
export const GUARDS: readonly Guard[] = [
  ...STANDING_GUARDS,
  ...EFFECT_GUARDS,
  ...PREDECESSOR_GUARDS,
  ...WISH_GUARDS,
  ...POINTER_GUARDS,
  ...RUNTIME_GUARDS,
  ...CONVERSATION_GUARDS,
];
