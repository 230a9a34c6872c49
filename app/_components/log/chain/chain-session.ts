import type { FeedEvent } from '@/lib/insight/feed';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '../../status/tier-mark';

/** A decision as the log shows it; its checks have a page of their own. */
export interface ChainLogDecision {
  id: string;
  /** Null for a decision of no single attempt. */
  attemptId: string | null;
  /** `continuation`: how a start continues. `escalation` and `after_end`: what follows. */
  kind: 'continuation' | 'escalation' | 'after_end';
  verdict: string;
  reason: string;
  sentence: string;
  at: string;
}

export interface ChainLogAttempt {
  id: string;
  number: number;
  purpose: 'tier' | 'reconcile';
  mechanism: string | null;
  runner: string | null;
  /** How it ended: completed, resume_rejected, … Null while it runs. */
  end: string | null;
  endText: string;
}

/** What a chain's log knows of one of its sessions when the page is made. */
export interface ChainLogSession {
  /** `ses_…` */
  id: string;
  number: number;
  tier: Tier;
  model: string;
  /** Its last process was started, and not in a sandbox. */
  isUnconfined: boolean;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
  attempts: readonly ChainLogAttempt[];
  decisions: readonly ChainLogDecision[];
  /** Offered to the agent of the last attempt; empty while nothing is known. */
  tools: readonly string[];
  report: TierReport | null;
  /** The report that was handed in doesn't have the expected form. */
  isReportUnreadable: boolean;
  /** Its entries of the feed, for a session whose log was deleted. */
  notices: readonly FeedEvent[];
  /** Calls that may have changed something, by their numbers. */
  changes: readonly number[];
  /** The first events of an ended session, the newest of one that runs. */
  events: readonly SessionEventDto[];
  /** Events up to this number aren't among `events`. */
  after: number;
  lastSeq: number;
}

/** The fragment of the address that leads to an event in the log of a chain. */
export function eventAnchor(sessionNumber: number, seq: number): string {
  return `session-${sessionNumber}-event-${seq}`;
}
