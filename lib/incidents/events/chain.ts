/** A chain looks at the incident, has ended, or can't start. Pure. */
import { z } from 'zod';
import { type Incident, isActive } from '../incident';
import { type Applied, lookAt, NEED_A_HUMAN, needHuman, quiet } from '../transitions';
import { MIN_RECHECK_MS } from '../verification';
import { eventKind } from './event-kind';

export const chainStarted = eventKind({
  schema: z.object({ chainId: z.string() }),
  apply(incident) {
    if (!isActive(incident)) return quiet(incident);
    return quiet({ ...lookAt(incident, null), humanDueAt: null, fixChainId: null });
  },
  text: ({ chainId }, { chain }) => `${chain(chainId)} started.`,
});

const endedSchema = z.object({
  chainId: z.string(),
  outcome: z.string(),
  text: z.string(),
  // Older events have none of these.
  startedAt: z.string().optional(),
  /** How long checks may need to notice a fix; null: none will notice one. */
  recheckMs: z.number().nullable().optional(),
  /** The chain's own checks found everything that fails to be healthy since the look was due. */
  isCovered: z.boolean().optional(),
});

const OUTCOMES: Record<string, string> = {
  healthy: 'found no problems',
  findings: 'reported findings and changed nothing',
  fixed: 'reported a fix',
  suppressed: 'did not escalate',
  needs_human: 'needs a human',
  failed: 'failed',
  lost: 'was lost',
  stopped: 'was stopped',
};

export const chainEnded = eventKind({
  schema: endedSchema,
  apply: ended,
  text: ({ chainId, outcome, text }, { chain }) =>
    text
      ? `${chain(chainId)} ended. ${text}`
      : `${chain(chainId)} ${OUTCOMES[outcome] ?? 'ended'}.`,
});

function ended(incident: Incident, event: z.infer<typeof endedSchema>, at: Date): Applied {
  const { chainId, outcome, startedAt, recheckMs = MIN_RECHECK_MS } = event;
  const isFix = outcome === 'fixed';
  if (incident.state === 'verifying') {
    // It recovered while that chain worked on it.
    const wasAtWork = startedAt !== undefined && new Date(startedAt) <= incident.verifyingSince;
    return quiet(isFix && wasAtWork ? { ...incident, fixChainId: chainId } : incident);
  }
  if (!isActive(incident)) return quiet(incident);
  if (NEED_A_HUMAN.includes(outcome)) return needHuman(incident, chainId, at);
  if (recheckMs === null) return quiet(incident);
  const dueAt = new Date(at.getTime() + recheckMs);
  // What failed while the chain ran needs no other one, unless checks go on failing: then people are needed.
  const looked = event.isCovered ? lookAt(incident, null) : incident;
  if (isFix) return quiet({ ...looked, fixChainId: chainId, humanDueAt: dueAt });
  return quiet({ ...looked, humanDueAt: incident.humanDueAt ?? dueAt });
}

/** The agent couldn't be started, or isn't to be. */
export const lookRefused = eventKind({
  schema: z.object({
    /** Why. */
    text: z.string(),
    /** The reason passes, and the look stays due. */
    isRetried: z.boolean().optional(),
  }),
  apply(incident, { isRetried }, at) {
    if (!isActive(incident)) return quiet(incident);
    return needHuman(isRetried ? incident : lookAt(incident, null), null, at);
  },
  text: ({ text }) => `No chain starts. ${text}`,
});
