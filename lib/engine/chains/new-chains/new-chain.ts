import type { ChainTrigger } from '@/lib/engine/statuses';
import type { GateCode } from '../../start-policy';

/** Everything that one new chain is made of: its row, its first session, its first attempt. */
export interface NewChain {
  chainId: string;
  sessionId: string;
  attemptId: string;
  organizationId: string;
  projectId: string;
  /** ISO 8601 in UTC; null for a start by hand. */
  slotAt: string | null;
  trigger: ChainTrigger;
  requestedBy: string | null;
  projectVersion: number;
  startTier: number;
  isDryRun: boolean;
  isForceFresh: boolean;
  prompt: string | null;
  model: string;
  poolId: string;
  /** The gate that was closed, and what people read of it: then the chain is born ended. */
  skipped: { code: GateCode; text: string } | null;
}

export interface CreatedChain {
  id: string;
  number: number;
  projectId: string;
  organizationId: string;
}
