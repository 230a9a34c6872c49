/** Incidents as their figures see them. Ids are UUIDs. */

/** A fix that a chain reported in an incident, and what settled it. */
export interface ReportedFix {
  incidentId: string;
  chainId: string;
  /** The kind of the first later event that says something about it; null if there is none. */
  settledBy: string | null;
  settledAt: Date | null;
  /** When the last service had recovered, or the last alert had ended, before that. */
  recoveredAt: Date | null;
  /** Whether the same fault came back within a day of the recovery. */
  isBack: boolean;
}

export interface IncidentFacts {
  id: string;
  state: string;
  /** INCIDENT_RESOLUTIONS, or one that the figures don't know yet; null unless it is resolved. */
  resolution: string | null;
  /** The first failure. */
  startedAt: Date;
  openedAt: Date;
  /** Since when everything was well, if it is. */
  verifyingSince: Date | null;
  /** Whether its verification began because nothing checked a service anymore. */
  isWellByRemoval: boolean;
  resolvedAt: Date | null;
  fixChainId: string | null;
  /** When somebody acknowledged it for the first time. */
  acknowledgedAt: Date | null;
  /** When it was over for the first time: its proven recovery, or when a person resolved it. */
  endedAt: Date | null;
  /** Services that checks or alerts reported. */
  services: readonly { serviceId: string; name: string }[];
  /** Services that failed again within a day of that end. */
  backServiceIds: readonly string[];
  /** Whether any of its services or alerts failed again within that day. */
  isBack: boolean;
  /** In the order of the reports. */
  fixes: readonly ReportedFix[];
  /** Chains that looked at it or acted on it. */
  chainIds: readonly string[];
}

export interface ChainFacts {
  id: string;
  /** Null while it runs. */
  outcome: string | null;
  highestTier: number;
  /** The model of its highest tier; null if no session has one. */
  model: string | null;
  /** Rules of the commands that changed something, or names of actions; none if nothing is recorded. */
  actions: readonly string[];
  /** Micro-dollars of the ledger; null if nothing was booked. */
  costMicros: number | null;
  isCostEstimated: boolean;
}
