/** What a turn's start is decided and built from, read in the claim's transaction. No behaviour. */

import type { Predecessor } from '@/lib/engine/attempt/context-data';
import type { Spending } from '@/lib/engine/budget/data';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Transcript } from '../transcript';
import type { TurnScene } from './data';

export interface TurnFacts extends Omit<TurnScene, 'runner'>, Predecessor {
  runner: NonNullable<TurnScene['runner']>;
  live: ProjectConfig;
  /** The configuration under which the conversation was held that it may continue. */
  held: ProjectConfig | null;
  transcript: Transcript;
  spending: Spending;
}
