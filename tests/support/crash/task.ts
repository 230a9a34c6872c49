/** What a process that is to be killed does, as a message from its parent. */
export type CrashTask =
  | {
      kind: 'settle';
      /** Each in an organization of its own, and as many at once as there are connections. */
      attempts: { organizationId: string; attemptId: string; freezeAfter: number }[];
      now: string;
    }
  | { kind: 'start_due'; now: string; freezeAfter: number };

/** Its last words, before it kills itself: whose work was cut off, by organization or `system`. */
export interface CrashAnswer {
  frozen: string[];
  errors: string[];
}
