/** Domain events of the engine. Ids are UUIDs. */

import { domainEvent } from '@/lib/platform/domain-events';
import type { BudgetNotice } from './budget';

/** The first process of a chain is about to start. */
export const chainStarted = domainEvent<{ chainId: string }>('chain.started');

/** A session has ended, and the next tier's waits to start. */
export const chainEscalated = domainEvent<{
  chainId: string;
  fromSessionId: string;
  toSessionId: string;
  /** Names of the services that the next tier is for. */
  services: readonly string[];
}>('chain.escalated');

/** A chain has ended, and its last session with it. */
export const chainEnded = domainEvent<{ chainId: string }>('chain.ended');

/** A person takes over what a chain that has ended is about. */
export const chainAcknowledged = domainEvent<{
  chainId: string;
  /** Null: until the services have recovered. */
  endsAt: Date | null;
  note: string;
}>('chain.acknowledged');

/** That person has removed the acknowledgement. */
export const chainAcknowledgementEnded = domainEvent<{ chainId: string; acknowledgedAt: Date }>(
  'chain.acknowledgement_ended',
);

/** A person has to decide about a command, or about the start of a tier. */
export const approvalRequested = domainEvent<{ approvalId: string }>('approval.requested');

/** Enough people have decided about it, or one has refused it. */
export const approvalDecided = domainEvent<{ approvalId: string }>('approval.decided');

/** Nobody decided about it in time. */
export const approvalExpired = domainEvent<{ approvalId: string }>('approval.expired');

/**
 * A booking passed 80 % of a budget, or the limit. `chainId` is null for a turn of a conversation.
 */
export const budgetsCrossed = domainEvent<{
  projectId: string;
  chainId: string | null;
  crossed: readonly BudgetNotice[];
}>('budgets.crossed');
