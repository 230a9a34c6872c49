/** What settling an attempt looks at, as plain values. All shapes, no behaviour. */

import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { InHand, Snooze } from '@/lib/engine/attempt/holds';
import type { Spending } from '@/lib/engine/budget/data';
import type { CheckpointNote } from '@/lib/engine/continuation/handoff/build';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import type { RecordedAction } from '@/lib/engine/cooldowns/recorded-actions';
import type { EndFacts } from '@/lib/engine/ending/end-plan';
import type { PauseFact } from '@/lib/engine/escalation/schema';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { Tier } from '@/lib/protocol/spec';

export interface SettlementFacts extends EndFacts {
  projectName: string;
  chain: { id: string; number: number; isDryRun: boolean; isStopRequested: boolean };
  session: { id: string; number: number; tier: Tier; model: string };
  attempt: EndFacts['attempt'] & {
    id: string;
    number: number;
    purpose: 'tier' | 'reconcile';
    onlyMode: 'handoff' | null;
    startMode: 'fresh' | 'resume' | 'handoff' | 'reconcile';
    /** It went on with the session's own conversation. */
    isContinuation: boolean;
    /** False when its lease expired: then `result` was made up by the control plane. */
    isReported: boolean;
  };
  /** Ends of the attempts before this one in the same session. */
  earlier: readonly {
    end: AttemptEnd;
    purpose: 'tier' | 'reconcile';
    onlyMode: 'handoff' | null;
    isContinuation: boolean;
    mayHaveActed: boolean;
    /** Why it ended, and what to do about that; empty when it isn't settled. */
    endText: string;
  }[];
  /** Checks that the runner ran in this session, also in earlier attempts, oldest first. */
  earlierChecks: readonly Extract<RunnerEvent, { kind: 'check_result' }>[];
  /** The handoff that this session itself was given. */
  previousHandoff: Handoff | null;
  /** The newest of this session; read only where its report says nothing of what it found. */
  checkpoint: CheckpointNote | null;
  frozen: ProjectConfig;
  live: ProjectConfig;
  pauses: readonly PauseFact[];
  snoozes: readonly Snooze[];
  inHand: readonly InHand[];
  /** What is open now; null outside of every window. */
  maintenance: OpenWindow | null;
  actions: readonly RecordedAction[];
  /** Before this attempt is booked. */
  spending: Spending;
  isDryRunForced: boolean;
}
