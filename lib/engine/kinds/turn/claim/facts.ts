/** What a turn's start is decided and built from, read in the claim's transaction. No behaviour. */

import type { Transcript } from '@/lib/conversations/transcript';
import type { Predecessor } from '@/lib/engine/attempts/scene/data';
import type { Spending } from '@/lib/engine/usage/data';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { TurnScene } from './data';

export interface TurnFacts extends Omit<TurnScene, 'runner'>, Predecessor {
  runner: NonNullable<TurnScene['runner']>;
  live: ProjectConfig;
  /** The configuration under which the conversation was held that it may continue. */
  held: ProjectConfig | null;
  transcript: Transcript;
  spending: Spending;
}
