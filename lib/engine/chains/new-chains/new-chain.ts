/** Everything that one new chain is made of: its row, its first session, its first attempt. */
export interface NewChain {
  chainId: string;
  sessionId: string;
  attemptId: string;
  organizationId: string;
  projectId: string;
  /** ISO 8601 in UTC; null for a start by hand. */
  slotAt: string | null;
  trigger: 'schedule' | 'manual' | 'api';
  requestedBy: string | null;
  projectVersion: number;
  startTier: number;
  isDryRun: boolean;
  isForceFresh: boolean;
  prompt: string | null;
  model: string;
  poolId: string;
  /** Set for a slot that may not run: the chain is born ended. */
  skippedBecause: string | null;
}

export interface CreatedChain {
  id: string;
  number: number;
  projectId: string;
  organizationId: string;
}
