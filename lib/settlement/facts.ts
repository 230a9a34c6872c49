/** What settling an attempt looks at, as plain values. All shapes, no behaviour. */
import type { CheckpointNote } from '@/lib/continuity/handoff/build';
import type { Handoff } from '@/lib/continuity/handoff/schema';
import type { RecordedAction } from '@/lib/cooldowns/data';
import type { PauseFact } from '@/lib/escalation/schema';
import type { AttemptEnd } from '@/lib/harness/attempt-end';
import type { ModelUsages } from '@/lib/harness/claude/usage';
import type { InHand, Snooze } from '@/lib/holds/schema';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { AttemptResult } from '@/lib/runner-protocol/schema';
import type { StartSpec, Tier } from '@/lib/runner-protocol/spec';
import type { Spending } from '@/lib/usage/data';

/** What the end of any attempt is judged by. */
export interface EndFacts {
  attempt: {
    /** Null when it was never claimed. */
    start: StartSpec | null;
    isLate: boolean;
  };
  runnerName: string;
  result: AttemptResult;
  /** All events of this attempt, oldest first. */
  events: readonly RunnerEvent[];
  /** Set where the attempt resumed a conversation. */
  parent: {
    reported: ModelUsages | null;
    depth: number;
    cumulativeTokens: number | null;
    /** In the conversation when its last process ended. */
    contextTokens: number | null;
  } | null;
}

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
    /** False when its lease expired: then `result` was made up by the control plane. */
    isReported: boolean;
  };
  /** Ends of the attempts before this one in the same session. */
  earlier: readonly {
    end: AttemptEnd;
    purpose: 'tier' | 'reconcile';
    onlyMode: 'handoff' | null;
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
