/** What a process that is to be killed does, as a message from its parent. */
export type CrashTask =
  | { kind: 'settle'; organizationId: string; attemptId: string; now: string; killAfter: number }
  | { kind: 'start_due'; now: string; killAfter: number };

/** Its answer when it came to the end alive. */
export interface CrashAnswer {
  writes: number;
  error: string | null;
}
