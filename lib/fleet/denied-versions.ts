import { env } from '@/lib/platform/env';
import { findCoveringEntry } from '@/lib/platform/version-list';
import { cliVersionOf } from './posture';

/** Entries of `version-list.ts`, by who set them. */
export interface DeniedVersions {
  installation: readonly string[];
  organization: readonly string[];
}

export interface VersionDenial {
  /** Whose list has it. */
  by: 'installation' | 'organization';
  /** The entry that covers the version. */
  entry: string;
}

/** Both lists as they stand now. */
export function deniedVersionsOf(organization: {
  deniedCliVersions: readonly string[];
}): DeniedVersions {
  return { installation: env().deniedCliVersions, organization: organization.deniedCliVersions };
}

const NONE: DeniedVersions = { installation: [], organization: [] };

/** The lists as far as they concern an agent: the demo agent is a part of Tierwatch, not a CLI. */
export function deniedVersionsFor(harness: string, denied: DeniedVersions): DeniedVersions {
  return harness === 'demo' ? NONE : denied;
}

/** Why a version must not start. A version that is not known is not denied. */
export function denialOf(
  version: string | null,
  { installation, organization }: DeniedVersions,
): VersionDenial | null {
  if (version === null) return null;
  const byInstallation = findCoveringEntry(version, installation);
  if (byInstallation !== null) return { by: 'installation', entry: byInstallation };
  const byOrganization = findCoveringEntry(version, organization);
  return byOrganization === null ? null : { by: 'organization', entry: byOrganization };
}

/** Why an agent must not start on a runner, as far as its CLI's version says. */
export function runnerDenial(
  posture: unknown,
  harness: string,
  denied: DeniedVersions,
): VersionDenial | null {
  return denialOf(cliVersionOf(posture, harness), deniedVersionsFor(harness, denied));
}

/** "this organization denies (<2.1.330)": the end of a sentence about a version. */
export function denialWords({ by, entry }: VersionDenial): string {
  return `${by === 'installation' ? 'TIERWATCH_DENIED_CLI_VERSIONS' : 'this organization'} denies (${entry})`;
}

/** What every text about work that waits for another version begins with. */
export const NOT_STARTED_YET = 'Not started yet:';

/** Why work waits although these runners of its pool, one at least, are online. */
export function deniedSentence(
  pool: string,
  runners: readonly { name: string; version: string | null; denial: VersionDenial }[],
): string {
  const named = runners.map(
    ({ name, version, denial }) =>
      `${name} has Claude Code ${version ?? '—'}, which ${denialWords(denial)}`,
  );
  const install = 'Install another version of Claude Code there';
  const connect = `connect another runner to pool ${pool}`;
  // The installation's list is its operator's to change.
  const advice = runners.some(({ denial }) => denial.by === 'organization')
    ? `${install}, ${connect}, or change the list in the organization's settings.`
    : `${install}, or ${connect}.`;
  return `${NOT_STARTED_YET} ${named.join('; ')}. ${advice}`;
}

/** The same for the one runner that may not start an agent; null where it may. */
export function deniedStart(
  pool: string,
  { name, posture }: { name: string; posture: unknown },
  harness: string,
  denied: DeniedVersions,
): string | null {
  const denial = runnerDenial(posture, harness, denied);
  return (
    denial && deniedSentence(pool, [{ name, version: cliVersionOf(posture, harness), denial }])
  );
}
