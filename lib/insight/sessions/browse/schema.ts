/** The list of sessions as people filter and page through it: by chain, newest first. */

import type { SessionStatus } from '@/lib/engine/statuses';
import type { SessionItem } from '../schema';

export interface SessionQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  status?: SessionStatus | undefined;
  tier?: number | undefined;
  /** `rnr_…` of a runner that took an attempt. */
  runner?: string | undefined;
  /** How an attempt ended: completed, resume_rejected, … */
  end?: string | undefined;
  /** Created at or after. */
  since?: Date | undefined;
  /** Created before. */
  until?: Date | undefined;
  /** `chn_…`: sessions of chains older or newer than it. */
  before?: string | undefined;
  after?: string | undefined;
  /** Chains a page. */
  limit: number;
}

/** The matching sessions of one chain, newest first. */
export interface SessionGroup {
  chainId: string;
  chainNumber: number;
  /** Of the whole chain, in micro-dollars. */
  chainCostMicros: number;
  isCostEstimated: boolean;
  /** Of the whole chain, matching or not. */
  sessionCount: number;
  sessions: SessionItem[];
}

export interface SessionPage {
  groups: SessionGroup[];
  olderThan: string | null;
  newerThan: string | null;
  /**
   * Over all matches, not the page. `count` stops one above what lists count to, and above that
   * nothing is summed: null.
   */
  total: { count: number; costMicros: number | null };
  /** For the filter. */
  runners: { id: string; name: string }[];
}
