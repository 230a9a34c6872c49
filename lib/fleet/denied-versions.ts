import { agentLabel, findAgent } from '@/lib/agents/registry';
import { env } from '@/lib/platform/env';
import { findCoveringEntry } from '@/lib/platform/version-list';
import { cliVersionOf } from './posture';

/** Entries of `version-list.ts`, by who set them. */
export interface DeniedVersions {
  installation: readonly string[];
  organization: readonly string[];
}

interface VersionDenial {
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

/** Returns the lists for the agent that they are about, and empty ones for every other. */
export function deniedVersionsFor(harness: string, denied: DeniedVersions): DeniedVersions {
  return findAgent(harness)?.program.hasDenylist ? denied : NONE;
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

/**
 * Returns why work waits although its pool has online runners.
 *
 * @param runners those online, one at least
 */
export function deniedSentence(
  pool: string,
  harness: string,
  runners: readonly { name: string; version: string | null; denial: VersionDenial }[],
): string {
  const agent = agentLabel(harness);
  const named = runners.map(
    ({ name, version, denial }) =>
      `${name} has ${agent} ${version ?? '—'}, which ${denialWords(denial)}`,
  );
  const install = `Install another version of ${agent} there`;
  const connect = `connect another runner to pool ${pool}`;
  // The installation's list is its operator's to change.
  const advice = runners.some(({ denial }) => denial.by === 'organization')
    ? `${install}, ${connect}, or change the list in the organization's settings.`
    : `${install}, or ${connect}.`;
  return `Not started yet: ${named.join('; ')}. ${advice}`;
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
    denial &&
    deniedSentence(pool, harness, [{ name, version: cliVersionOf(posture, harness), denial }])
  );
}
