import type { CheckSpec, CheckType } from '../spec';

export type CheckStatus = 'healthy' | 'degraded' | 'down';

/** What a probe found: `error` is empty when healthy, else one sentence for people. */
export interface ProbeResult {
  status: CheckStatus;
  error: string;
}

/** Looks at one target. May throw a system error; must give up when `signal` aborts. */
export type Probe = (check: CheckSpec, signal: AbortSignal) => Promise<ProbeResult>;

export interface CheckOutcome extends ProbeResult {
  service: string;
  type: CheckType;
  /** As configured, but with the password of a URL hidden. */
  target: string;
  /** Whole milliseconds until the answer; null where nothing answered. */
  responseTimeMs: number | null;
}

export const healthy: ProbeResult = { status: 'healthy', error: '' };

export function degraded(error: string): ProbeResult {
  return { status: 'degraded', error };
}

export function down(error: string): ProbeResult {
  return { status: 'down', error };
}
