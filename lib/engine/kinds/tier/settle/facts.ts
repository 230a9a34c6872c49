/** The facts that settling a tier's attempt depends on: types only. */

import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { Acknowledgement, PauseFact, Snooze } from '@/lib/engine/attempt/holds';
import type { Spending } from '@/lib/engine/budget';
import type { CheckpointNote } from '@/lib/engine/continuation/handoff/build';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import type { RecordedAction } from '@/lib/engine/cooldowns/action-rows';
import type { EndFacts } from '@/lib/engine/ending/end-plan';
import type { Evidence } from '@/lib/engine/escalation/schema';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { Tier } from '@/lib/protocol/spec';

/** A command that a person has refused. */
export interface RefusedCommand {
  /** The command, as the subject of a sentence. */
  title: string;
  /** Who refused it and why, as a clause; null if nobody is named. */
  refusal: string | null;
  services: readonly string[];
}

export interface SettlementFacts extends EndFacts {
  projectName: string;
  chain: { isDryRun: boolean; isStopRequested: boolean };
  session: { tier: Tier; model: string };
  attempt: EndFacts['attempt'] & {
    purpose: 'tier' | 'reconcile';
    onlyMode: 'handoff' | null;
    startMode: 'fresh' | 'resume' | 'handoff' | 'reconcile';
    /** It continued the session's own conversation. */
    isContinuation: boolean;
    /** False if its lease expired: then the control plane made up `result`. */
    isReported: boolean;
  };
  /** Ends of the session's earlier attempts. */
  earlier: readonly {
    end: AttemptEnd;
    purpose: 'tier' | 'reconcile';
    onlyMode: 'handoff' | null;
    isContinuation: boolean;
    mayHaveActed: boolean;
    /** Why it ended and what to do about it; empty if it isn't settled. */
    endText: string;
  }[];
  /** Checks that the runner ran in earlier attempts of this session, oldest first. */
  earlierChecks: readonly Extract<RunnerEvent, { kind: 'check_result' }>[];
  /**
   * What else is known about services: those that failed a check in the chain's other sessions, or without an
   * agent until this session began, and those that alerts are about.
   */
  evidence: Pick<Evidence, 'failedBefore' | 'signals'>;
  /** The handoff that this session received. */
  previousHandoff: Handoff | null;
  /** The newest checkpoint of this session; read only if the report has no findings. */
  checkpoint: CheckpointNote | null;
  frozen: ProjectConfig;
  live: ProjectConfig;
  pauses: readonly PauseFact[];
  snoozes: readonly Snooze[];
  acknowledgements: readonly Acknowledgement[];
  /** The maintenance window that is open now; null without one. */
  maintenance: OpenWindow | null;
  actions: readonly RecordedAction[];
  /** What was spent before this attempt is booked. */
  spending: Spending;
  isDryRunForced: boolean;
  /** Until when the next attempt waits for decisions at most; null if none is pending. */
  pendingUntil: Date | null;
  /** The session's first refused command whose refusal ends the chain. */
  refused: RefusedCommand | null;
}
