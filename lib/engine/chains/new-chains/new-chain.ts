import type { ChainTrigger } from '@/lib/engine/statuses';
import type { GateCode } from '../../start-policy';

/** A new chain: its row, its first session and its first attempt. */
export interface NewChain {
  chainId: string;
  sessionId: string;
  attemptId: string;
  organizationId: string;
  projectId: string;
  /** ISO 8601 in UTC; null for a manual start. */
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
  /** The gate that was closed, with its text: the chain is then created as ended. */
  skipped: { code: GateCode; text: string } | null;
}

export interface CreatedChain {
  id: string;
  number: number;
  projectId: string;
  organizationId: string;
}
