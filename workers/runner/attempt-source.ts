/** Where attempt ids come from: the queue itself, or the control plane which asks it for us. */

export interface Ticket {
  attemptId: string;
  /** Takes the job off the queue. Called right after the claim, whatever that answered. */
  done(): Promise<void>;
}

export interface AttemptSource {
  /** The next attempt that waits; null when the signal was aborted first. */
  next(signal: AbortSignal): Promise<Ticket | null>;
  close(): Promise<void>;
}
