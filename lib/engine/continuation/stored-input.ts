import { AGENTS } from '@/lib/agents/registry';
import {
  accountOf,
  canResumeOf,
  canSealOf,
  cliVersionOf,
  fingerprintOf,
} from '@/lib/fleet/capabilities';
import { deniedVersionsFor } from '@/lib/fleet/denied-versions';
import { isConnected, isReachable } from '@/lib/fleet/status';
import type { ProjectConfig } from '@/lib/projects/schema';
import {
  type HarnessName,
  harnessNameSchema,
  type Tier,
  type Transcript,
} from '@/lib/protocol/spec';
import type { Predecessor } from '../attempt/context-data';
import { isFallbackEnd } from './reasons';
import {
  DEFAULT_RESUME_POLICY,
  type Pointer,
  type ResumePolicy,
  type ResumeRequest,
  type RetiredFor,
  type Runtime,
} from './schema';

export interface ResumeInput {
  request: ResumeRequest;
  pointer: Pointer | null;
  runtime: Runtime;
  policy: ResumePolicy;
}

/** What a start uses of its predecessor, and the settings of the step between the two. */
export type FromSource = Pick<ResumeRequest, 'forceFresh' | 'edgeMode' | 'source'>;

/**
 * Returns the session itself as the predecessor of its continuation. Settings about the step from
 * one session to the next don't concern it.
 */
export function ownSource(tier: Tier): FromSource {
  const source = { tier, hasEnded: true, hasCarrier: false };
  return { forceFresh: false, edgeMode: 'resume', source };
}

function retiredFor(reason: string | null): RetiredFor {
  return reason !== null && isFallbackEnd(reason) ? reason : 'other';
}

function transcriptOf({
  transcriptBytes,
  transcriptSha256,
}: NonNullable<Predecessor['pointer']>): Transcript | null {
  if (transcriptBytes === null || transcriptSha256 === null) return null;
  return { bytes: transcriptBytes, sha256: transcriptSha256 };
}

export type HeldConversation = Pick<Predecessor, 'seal' | 'isSealRefused' | 'isTainted'> & {
  pointer: NonNullable<Predecessor['pointer']>;
};

/** Returns a stored pointer as the decision's input, with the owner of its conversation. */
export function storedPointer(
  { pointer, seal, isSealRefused, isTainted }: HeldConversation,
  of: Pick<Pointer, 'chainId' | 'tier' | 'agent' | 'epoch' | 'historyEpoch'>,
): Pointer {
  return {
    ...of,
    organizationId: pointer.organizationId,
    projectId: pointer.projectId,
    harness: harnessNameSchema.parse(pointer.harness),
    model: pointer.model,
    cliSessionId: pointer.cliSessionId,
    isConfirmed:
      pointer.state === 'confirmed' || (pointer.state === 'retired' && pointer.cliSessionId !== ''),
    retiredFor: pointer.state === 'retired' ? retiredFor(pointer.retiredReason) : null,
    failures: pointer.failures,
    depth: pointer.depth,
    runnerId: pointer.runnerId,
    fingerprint: pointer.fingerprint,
    cliVersion: pointer.cliVersion,
    authPrincipal: pointer.account,
    workDirInode: pointer.workDirInode,
    transcript: transcriptOf(pointer),
    isTainted,
    seal,
    isSealRefused,
    contextTokens: pointer.contextTokens,
    cumulativeTokens: pointer.cumulativeTokens,
    createdAt: pointer.createdAt,
  };
}

/**
 * Returns the facts about the host.
 *
 * @param owner the host that holds the conversation
 */
export function hostRuntime(
  {
    runner,
    owner,
    harness,
    contextWindow,
  }: Pick<Predecessor, 'owner'> & {
    runner: Pick<NonNullable<Predecessor['owner']>, 'id' | 'capabilities'>;
    harness: HarnessName;
    contextWindow: number | null;
  },
  now: Date,
): Runtime {
  return {
    runnerId: runner.id,
    isOwnerReachable: isReachable(owner, now),
    // Both depend on what would start.
    isOwnerProven: true,
    canOwnerConfine: true,
    isOwnerSealing: isConnected(owner, now) && canSealOf(owner?.capabilities),
    canOpenSeals: canSealOf(runner.capabilities),
    ownerCliVersion: owner && cliVersionOf(owner.capabilities, harness),
    canResume: canResumeOf(runner.capabilities, harness),
    fingerprint: fingerprintOf(runner.capabilities, harness),
    cliVersion: cliVersionOf(runner.capabilities, harness),
    authPrincipal: accountOf(runner.capabilities, harness),
    contextWindow,
  };
}

/** What the installation sets for every decision. */
export interface InstallationPolicy {
  resumeContextThreshold: number | null;
  deniedCliVersions: readonly string[];
}

/**
 * Returns the policy.
 *
 * @param windows the known context windows of the host's agents
 */
export function resumePolicy(
  {
    config: { contextThreshold, maxRereadTokens, unprovenModels, taintedConversation },
    harness,
    organization,
    windows,
  }: Pick<Predecessor, 'windows'> & {
    config: Pick<
      ProjectConfig,
      'contextThreshold' | 'maxRereadTokens' | 'unprovenModels' | 'taintedConversation'
    >;
    harness: HarnessName;
    organization: { deniedCliVersions: readonly string[] };
  },
  installation: InstallationPolicy,
): ResumePolicy {
  const agent = AGENTS[harness];
  const known = windows.map((window) => window.windowTokens);
  return {
    ...DEFAULT_RESUME_POLICY,
    maxRereadTokens,
    unprovenEdges: unprovenModels,
    taintedConversation,
    deniedCliVersions: deniedVersionsFor(harness, {
      installation: installation.deniedCliVersions,
      organization: organization.deniedCliVersions,
    }),
    threshold:
      installation.resumeContextThreshold === null
        ? { share: contextThreshold, source: 'project' }
        : { share: installation.resumeContextThreshold, source: 'installation' },
    smallestWindow: known.length > 0 ? Math.min(...known) : agent.smallestWindow,
    provenEdges: agent.provenEdges,
  };
}
