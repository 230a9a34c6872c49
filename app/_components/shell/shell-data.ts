import type { SummaryMark } from '@/lib/insight/dashboard/health-summary';

export interface ShellOrganization {
  /** `org_…` */
  id: string;
  slug: string;
  name: string;
  role: 'owner' | 'admin' | 'operator' | 'viewer';
}

export interface ShellProject {
  /** `prj_…` */
  id: string;
  slug: string;
  name: string;
  /** The worst there is to say of it, also while it is paused. */
  mark: SummaryMark;
  /** `web has been down since 06:27 (31 min).` */
  sentence: string;
}

export interface ShellRunner {
  /** `rnr_…` */
  id: string;
  name: string;
}

export interface ShellUser {
  name: string;
  email: string;
}

/** All that the frame around a signed-in page shows. */
export interface ShellData {
  organization: ShellOrganization;
  /** Every organization of the user, this one among them. */
  organizations: readonly ShellOrganization[];
  /** Of this organization; those in trouble first. */
  projects: readonly ShellProject[];
  /** Of this organization; the revoked ones are left out. */
  runners: readonly ShellRunner[];
  /** How bad the worst of them is, for the icon of the tab; null when none needs attention. */
  tone: 'bad' | 'wait' | null;
  /** How many requests wait for a decision. */
  pendingApprovals: number;
  user: ShellUser;
}
