import type { StateOf } from '../status/states';

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
  state: StateOf<'project'>;
  /** The worst state of its services; null before the first check. */
  worst: StateOf<'service'> | null;
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
  user: ShellUser;
}
