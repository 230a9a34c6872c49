/** What a start is decided and built from, read in the claim's transaction. No behaviour. */

import type { Predecessor, Scene } from '@/lib/engine/attempt/context-data';
import type { Spending } from '@/lib/engine/budget/data';
import type { ToolCallFact } from '@/lib/engine/continuation/tool-calls';
import type { RecordedAction } from '@/lib/engine/cooldowns/recorded-actions';
import type { ProjectConfig } from '@/lib/projects/schema';

export interface ClaimFacts extends Omit<Scene, 'runner'>, Predecessor {
  /** Who asks. */
  runner: NonNullable<Scene['runner']>;
  /** The configuration of the chain's version. */
  frozen: ProjectConfig;
  /** The one in force. */
  live: ProjectConfig;
  /** Of the project, as far back as a live cooldown looks. */
  actions: readonly RecordedAction[];
  spending: Spending;
  /** The session's own conversation, where the attempt is to go on with it. */
  own: Pick<Predecessor, 'pointer' | 'owner'> | null;
  /** An earlier attempt of the session has gone on with it. */
  hasContinued: boolean;
  /** Of the session's earlier attempts, late events included; null for a first attempt. */
  earlierCalls: readonly ToolCallFact[] | null;
  /** What the tier before handed on about; none for the first. */
  affected: readonly string[];
  isDryRunForced: boolean;
}
