/** What a process that is to be killed does, as a message from its parent. */
export type CrashTask =
  | {
      kind: 'settle';
      /** Each in an organization of its own, and as many at once as there are connections. */
      attempts: { organizationId: string; attemptId: string; freezeAfter: number }[];
      now: string;
    }
  | { kind: 'start_due'; now: string; freezeAfter: number }
  | {
      kind: 'post_chain';
      /** Each in an organization of its own. */
      requests: ChainRequest[];
      now: string;
    }
  | {
      kind: 'post_alert';
      /** Each in an organization of its own. */
      requests: SignalRequest[];
      now: string;
    };

/** A POST of an alert, which the process then processes. */
export interface SignalRequest {
  organizationId: string;
  sourceId: string;
  token: string;
  body: string;
  freezeAfter: number;
}

/** A POST of a chain under an Idempotency-Key. */
export interface ChainRequest {
  organizationId: string;
  token: string;
  project: string;
  key: string;
  freezeAfter: number;
}

/** Its last words, before it kills itself: whose work was cut off, by organization or `system`. */
export interface CrashAnswer {
  frozen: string[];
  errors: string[];
}
