import { z } from 'zod';

export const SESSION_STATUSES = [
  'queued',
  'waiting',
  'running',
  'stopping',
  'stopped',
  'completed',
  'escalated',
  'failed',
  'lost',
  'timed_out',
  'refused',
] as const;
export const sessionStatusSchema = z.enum(SESSION_STATUSES);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

export const SESSION_KINDS = ['tier', 'ask'] as const;
export const sessionKindSchema = z.enum(SESSION_KINDS);
export type SessionKind = z.infer<typeof sessionKindSchema>;

/** Tier under which the ledger books turns of conversations, which belong to no tier. */
export const ASK_TIER = 0;
