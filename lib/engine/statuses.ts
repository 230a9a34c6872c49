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

/** Under which the ledger books the turns of conversations: they belong to no tier of a chain. */
export const ASK_TIER = 0;
