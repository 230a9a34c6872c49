import { agentLabel, findAgent } from '@/lib/agents/registry';
import { env } from '@/lib/platform/env';
import { findCoveringEntry } from '@/lib/platform/version-list';
import { cliVersionOf } from './capabilities';

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

/** Returns both current lists. */
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

/** Returns why a version must not start, or null. Unknown versions are not denied. */
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

/** Returns why the version of an agent's CLI must not start on a runner, or null. */
export function runnerDenial(
  capabilities: unknown,
  harness: string,
  denied: DeniedVersions,
): VersionDenial | null {
  return denialOf(cliVersionOf(capabilities, harness), deniedVersionsFor(harness, denied));
}

/** Returns the end of a sentence about a version: "this organization denies (<2.1.330)". */
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

/** Returns the sentence for one runner that must not start an agent; null if it may. */
export function deniedStart(
  pool: string,
  { name, capabilities }: { name: string; capabilities: unknown },
  harness: string,
  denied: DeniedVersions,
): string | null {
  const denial = runnerDenial(capabilities, harness, denied);
  return (
    denial &&
    deniedSentence(pool, harness, [{ name, version: cliVersionOf(capabilities, harness), denial }])
  );
}
