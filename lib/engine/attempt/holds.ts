/** What people have said that holds starts of a project back, beside the pauses on its own row. */

export interface TierPause {
  tier: number;
  by: string;
  since: Date;
}

export interface Snooze {
  service: string;
  until: Date;
}

/** A person has the service in hand since a chain that needed one. */
export interface InHand {
  service: string;
  by: string;
  chainNumber: number;
}

export interface Holds {
  tierPauses: TierPause[];
  snoozes: Snooze[];
  inHand: InHand[];
}
