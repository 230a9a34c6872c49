/** What a trace is made of: rows of one chain that has ended. */

export interface ChainFacts {
  chain: {
    /** UUID. */
    id: string;
    /** Per project. */
    number: number;
    trigger: string;
    outcome: string | null;
    outcomeReason: string | null;
    isDryRun: boolean;
    createdAt: Date;
    endedAt: Date;
    project: string;
  };
  sessions: readonly SessionFacts[];
  attempts: readonly AttemptFacts[];
  commands: readonly CommandFacts[];
  approvals: readonly ApprovalFacts[];
  /** In the order of their attempt's stream. */
  requests: readonly RequestFacts[];
  tools: readonly ToolFacts[];
  /** Whether the streams have more than was read of them. */
  isCut: boolean;
}

export interface SessionFacts {
  id: string;
  number: number;
  tier: number;
  parentSessionId: string | null;
  status: string;
  model: string;
  mechanism: string | null;
  cliSessionId: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  costUsd: number;
}

export interface AttemptFacts {
  id: string;
  sessionId: string;
  number: number;
  purpose: string;
  end: string | null;
  /** Name of the agent: `claude`. */
  harness: string | null;
  runner: string | null;
  confinement: string | null;
  exitCode: number | null;
  claimedAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface CommandFacts {
  attemptId: string;
  number: number;
  /** Of the attempt's events, the first one about it. */
  attemptSeq: number;
  /** The first of its arguments. */
  program: string;
  mayChange: boolean;
  state: string;
  refusalCode: string | null;
  exitCode: number | null;
  signal: string | null;
  isApproved: boolean;
  requestedAt: Date;
  endedAt: Date | null;
}

export interface ApprovalFacts {
  id: string;
  kind: string;
  status: string;
  sessionId: string;
  attemptId: string;
  commandNumber: number | null;
  requestedAt: Date;
  decidedAt: Date | null;
}

/** A request to the model. */
export interface RequestFacts {
  attemptId: string;
  messageId: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  isComplete: boolean;
  /** When its answer had come. */
  at: Date;
  /** Null where the runner doesn't measure it. */
  durationMs: number | null;
}

/** A call of a tool, with its result where there is one. */
export interface ToolFacts {
  attemptId: string;
  toolUseId: string;
  tool: string;
  /** The call of a sub-agent that it belongs to. */
  parentToolUseId: string | null;
  /** Numbers of its events in the attempt. */
  seq: number;
  resultSeq: number | null;
  at: Date;
  resultAt: Date | null;
  isError: boolean;
  isDenied: boolean;
}
