import { randomUUID } from 'node:crypto';
import type { AttemptSpec, StartSpec } from '@/lib/protocol/spec';

export interface SpecChanges {
  start?: Partial<StartSpec>;
  services?: AttemptSpec['services'];
  /** What the control plane knows of checks; absent: as before there were revisions. */
  checkRevision?: number;
  secretNames?: string[];
  traceparent?: string;
  leaseSeconds?: number;
  organizationId?: string;
  projectId?: string;
}

/** A tier 1 start with nothing special, as the control plane answers a claim. */
export function attemptSpec(changes: SpecChanges = {}): AttemptSpec {
  const attemptId = randomUUID();
  return {
    attemptId,
    sessionId: randomUUID(),
    organizationId: changes.organizationId ?? randomUUID(),
    projectId: changes.projectId ?? randomUUID(),
    label: `#${attemptId.slice(-4)}.1`,
    fence: 1,
    leaseSeconds: changes.leaseSeconds ?? 60,
    services: changes.services ?? [],
    checkRevision: changes.checkRevision,
    secretNames: changes.secretNames ?? [],
    ...(changes.traceparent === undefined ? {} : { traceparent: changes.traceparent }),
    start: {
      harness: 'claude',
      tier: 1,
      purpose: 'tier',
      model: 'haiku',
      cliSessionId: randomUUID(),
      continuation: { mode: 'fresh' },
      prompt: 'Look at the services.',
      systemPrompt: '',
      tools: ['Bash', 'Read'],
      allowedRules: [],
      disallowedRules: [],
      reportSchema: { type: 'object' },
      limits: { timeoutSeconds: 60, stallSeconds: 60, maxTurns: 10, maxBudgetUsd: 1 },
      writesHandoffFile: false,
      agent: null,
      questionWaitSeconds: null,
      isolation: 'off',
      commands: null,
      checkpoints: null,
      recovery: null,
      ...changes.start,
    },
  };
}
