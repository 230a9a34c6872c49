import { env } from '../env';
import { LimitExceededError } from '../errors';

/** Who a stream is counted for, by UUID: a person or a token, and their organizations. */
export interface StreamOwner {
  subject: string;
  organizations: readonly string[];
}

/** How long a refused client should wait. */
const RETRY_SECONDS = 30;

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchStreams?: Map<string, number> };

function counts(): Map<string, number> {
  held.tierwatchStreams ??= new Map();
  return held.tierwatchStreams;
}

/**
 * Counts a stream of this process and returns what ends the count. Throws LimitExceededError when the
 * person or token, or each of their organizations, has as many as the operator allows.
 */
export function countStream({ subject, organizations }: StreamOwner): () => void {
  const { maxStreamsPerPerson, maxStreamsPerOrganization } = env();
  if (openStreams(subject) >= maxStreamsPerPerson) {
    throw new LimitExceededError(
      `You have ${maxStreamsPerPerson} live streams open, which is the limit. Close a browser or client that follows Tierwatch, then try again.`,
      RETRY_SECONDS,
    );
  }
  // One busy organization doesn't end the live updates of its members' other organizations.
  const isFull = (id: string) => openStreams(id) >= maxStreamsPerOrganization;
  if (organizations.length > 0 && organizations.every(isFull)) {
    throw new LimitExceededError(
      `Your organization has ${maxStreamsPerOrganization} live streams open, which is the limit. Close clients that follow Tierwatch, then try again.`,
      RETRY_SECONDS,
    );
  }
  const keys = [subject, ...organizations];
  for (const key of keys) add(key, 1);
  let isOpen = true;
  return () => {
    if (isOpen) for (const key of keys) add(key, -1);
    isOpen = false;
  };
}

/** Returns how many streams a person, token or organization has open in this process. */
export function openStreams(id: string): number {
  return counts().get(id) ?? 0;
}

function add(key: string, change: number): void {
  const count = openStreams(key) + change;
  if (count > 0) counts().set(key, count);
  else counts().delete(key);
}
