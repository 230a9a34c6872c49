/** What a run of `npm run chaos` recorded, and what the judge reads. Times are milliseconds since the epoch. */
import type { Target } from './plan';

export interface FaultRecord {
  number: number;
  target: Target;
  at: number;
  /** Until the part ran again and `/readyz` answered 200; null if nobody waited for it. */
  recoveredMs: number | null;
  /** Why it did not come back; null if it did. */
  problem: string | null;
}

/** A request for a chain, repeated under one Idempotency-Key until it was answered. */
export interface PostRecord {
  key: string;
  /** The chain in the answer; null: there never was one. */
  chainId: string | null;
}

/** A process of the agent, by its own record. */
export interface AgentRun {
  cliSessionId: string;
  beganAt: number;
  /** Numbered events that it wrote to its runner. */
  printed: number;
  repairs: { action: string; at: number }[];
  /** Of its result; null if it did not get that far. */
  costUsd: number | null;
}

export interface AttemptRecord {
  id: string;
  cliSessionId: string | null;
  /** How it ended; null while it has not. */
  end: string | null;
  endedAt: number | null;
}

export interface SessionRecord {
  id: string;
  number: number;
  hasStarted: boolean;
  hasEnded: boolean;
  costUsd: number;
  attempts: AttemptRecord[];
  ledger: { attemptId: string; model: string; costUsd: number; isEstimate: boolean }[];
  /** In their stored order; `tick` is the number that the agent printed. */
  events: { seq: number; attemptId: string | null; tick: number | null }[];
}

export interface ChainRecord {
  id: string;
  number: number;
  project: string;
  status: string;
  outcome: string | null;
  costUsd: number;
  sessions: SessionRecord[];
}

export interface WebhookRecord {
  /** The delivery's: it stays the same over retries. */
  id: string;
  type: string;
  /** Of the chain, or of the session for `session.completed`. */
  about: string;
}

export interface Records {
  planned: number;
  faults: FaultRecord[];
  posts: PostRecord[];
  chains: ChainRecord[];
  agents: AgentRun[];
  webhooks: WebhookRecord[];
  leftovers: string[];
}
