import type { Act } from '@/lib/identity/tenancy/role-matrix';
import { testConfig } from '@/tests/support/cast/organization';

/** Ids of the organization in which the walk goes. */
export interface World {
  projectSlug: string;
  chainId: string;
  incidentId: string;
  sessionId: string;
  runnerId: string;
  endpointId: string;
  deliveryId: string;
  channelId: string;
  policyId: string;
  sourceId: string;
  heartbeatId: string;
  tokenId: string;
  invitationId: string;
  /** With a turn that waits for the answer to a question. */
  conversationId: string;
  turnId: string;
  questionId: string;
  /** A viewer, on whom members may act. */
  memberId: string;
  approvalId: string;
  approvalDigest: string;
}

interface Row {
  act: Act;
  input(world: World): Record<string, unknown>;
}

const O = 'app/(dashboard)/[orgSlug]';
const P = `${O}/projects/[projectSlug]`;

const read = (input: Row['input'] = () => ({})): Row => ({ act: 'organization.read', input });
const row = (act: Act, input: Row['input'] = () => ({})): Row => ({ act, input });
const project = (world: World) => ({ project: world.projectSlug });
const runner = ({ runnerId }: World) => ({ runnerId });
const _endpoint = ({ endpointId }: World) => ({ endpointId });
const source = ({ sourceId }: World) => ({ sourceId });
const heartbeat = ({ projectSlug, heartbeatId }: World) => ({ project: projectSlug, heartbeatId });
const channel = ({ channelId }: World) => ({ channelId });
const policy = ({ channelId }: World) => ({
  name: 'Walk',
  steps: [{ afterMinutes: 5, channelIds: [channelId] }],
});
const chain = ({ chainId }: World) => ({ chainId });
const incident = ({ incidentId }: World) => ({ incidentId });
const _session = ({ sessionId }: World) => ({ sessionId });
const _conversation = ({ conversationId }: World) => ({ conversationId });
const _turn = ({ conversationId, turnId }: World) => ({ conversationId, turnId });
const _invitation = ({ invitationId }: World) => ({ invitationId });

/**
 * Every server action of an organization: what it does in the matrix, and an input that is taken.
 * In the order of the walk, what takes the world along last.
 */
export const ACTS_OF_ACTIONS: Record<string, Row> = {
  [`${O}/projects/actions.ts previewSchedule`]: read(() => ({
    schedule: { kind: 'interval', everySeconds: 600 },
  })),
  [`${O}/projects/actions.ts previewWindow`]: read(() => ({
    window: {
      name: 'Patching',
      effect: 'no_cycles',
      timeZone: 'UTC',
      when: { kind: 'once', startsAt: '2030-01-01T10:00', endsAt: '2030-01-01T11:00' },
    },
  })),
  [`${P}/settings/actions.ts previewTier`]: read(() => ({
    name: 'Shop',
    config: testConfig(),
    tier: 1,
    cliVersion: null,
  })),
  [`${O}/audit/actions.ts verifyAudit`]: row('audit.read'),
  [`${O}/audit/actions.ts prepareExport`]: row('audit.read'),
  [`${O}/projects/new/actions.ts testTarget`]: row('project.create', () => ({
    target: '127.0.0.1:9',
    pool: 'default',
  })),
  [`${O}/projects/actions.ts loadSample`]: row('project.create'),
  [`${O}/projects/new/actions.ts createProject`]: row('project.create', () => ({
    name: 'New one',
    harness: 'demo',
    services: testConfig().services,
    schedule: { kind: 'manual' },
    runnerPool: 'default',
  })),
  [`${P}/settings/actions.ts saveSettings`]: row('project.change', (world) => ({
    ...project(world),
    baseVersion: 1,
    name: 'Shop',
    slug: world.projectSlug,
    config: testConfig(),
  })),
  [`${P}/settings/actions.ts adoptDefaultRules`]: row('project.change', (world) => ({
    ...project(world),
    baseVersion: 1,
  })),
  [`${P}/settings/actions.ts restoreVersion`]: row('project.change', (world) => ({
    ...project(world),
    version: 1,
    baseVersion: 1,
  })),
  [`${P}/settings/actions.ts compareVersions`]: read((world) => ({
    ...project(world),
    from: 1,
    to: 1,
  })),
  [`${P}/settings/actions.ts compareFile`]: read((world) => ({
    ...project(world),
    text: 'name: Shop\n',
  })),
  [`${P}/settings/actions.ts testCheck`]: row('project.change', () => ({
    pool: 'default',
    service: 'web',
    check: { type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 },
  })),
  [`${P}/settings/actions.ts applyFile`]: row('project.change', (world) => ({
    ...project(world),
    text: 'name: Shop\n',
    baseVersion: 1,
  })),
  [`${P}/settings/actions.ts previewSignals`]: read((world) => ({
    ...source(world),
    preview: { body: '{"id":1,"status":"firing","title":"Down"}' },
  })),
  [`${P}/settings/actions.ts addSignalSource`]: row('alert_source.manage', (world) => ({
    source: { project: world.projectSlug, kind: 'generic', name: 'Walk', mapping: {} },
  })),
  [`${P}/settings/actions.ts changeSignalSource`]: row('alert_source.manage', (world) => ({
    ...source(world),
    changes: { name: 'New' },
  })),
  [`${P}/settings/actions.ts rotateSignalToken`]: row('alert_source.manage', source),
  [`${P}/services/[name]/actions.ts rotatePingCheck`]: row('project.change', heartbeat),
  [`${P}/services/[name]/actions.ts revokePingCheck`]: row('project.change', (world) => ({
    ...heartbeat(world),
    url: 'all',
  })),
  [`${P}/settings/actions.ts deleteSignalSource`]: row('alert_source.manage', source),
  [`${P}/actions.ts runNow`]: row('chain.run', project),
  [`${P}/actions.ts acknowledgeChain`]: row('chain.acknowledge', (world) => ({
    ...chain(world),
    note: '',
  })),
  [`${P}/incidents/[number]/actions.ts acknowledgeIncident`]: row(
    'incident.acknowledge',
    (world) => ({ ...incident(world), note: '' }),
  ),
  [`${P}/incidents/[number]/actions.ts silenceIncident`]: row('incident.acknowledge', (world) => ({
    ...incident(world),
    note: '',
  })),
  [`${P}/services/[name]/actions.ts snoozeService`]: row('service.snooze', (world) => ({
    ...project(world),
    service: 'web',
    minutes: 20,
    reason: '',
  })),
  [`${P}/services/[name]/actions.ts wakeService`]: row('service.snooze', (world) => ({
    ...project(world),
    service: 'web',
  })),
  [`${P}/actions.ts breakDemo`]: row('demo.break', () => ({ fault: 'crash' })),
  [`${O}/actions.ts pauseProject`]: row('project.pause', (world) => ({
    ...project(world),
    reason: '',
    stopChainId: null,
  })),
  [`${O}/actions.ts resumeProject`]: row('project.pause', project),
  [`${O}/actions.ts pauseOrganization`]: row('organization.pause', () => ({ reason: '' })),
  [`${O}/actions.ts dismissChecklist`]: row('organization.change'),
  [`${O}/actions.ts pauseTier`]: row('tier.pause', (world) => ({
    ...project(world),
    reason: '',
    tier: 2,
  })),
  [`${O}/actions.ts resumeTier`]: row('tier.pause', (world) => ({ ...project(world), tier: 2 })),
  [`${O}/actions.ts pauseRunner`]: row('runner.pause', (world) => ({
    ...runner(world),
    reason: '',
  })),
  [`${O}/settings/paging/actions.ts createPolicy`]: row('channel.manage', policy),
  [`${O}/settings/paging/actions.ts updatePolicy`]: row('channel.manage', (world) => ({
    ...{ ...policy(world), name: 'Changed', policyId: world.policyId },
  })),
  [`${O}/settings/paging/actions.ts deletePolicy`]: row('channel.manage', ({ policyId }) => ({
    policyId,
  })),
  [`${O}/settings/notifications/actions.ts createChannel`]: row('channel.manage', () => ({
    name: 'Walk',
    settings: { kind: 'apprise', serverUrl: 'https://apprise.example.com', urls: ['slack://a'] },
  })),
  [`${O}/settings/notifications/actions.ts updateChannel`]: row('channel.manage', (world) => ({
    ...channel(world),
    name: 'Changed',
  })),
  [`${O}/settings/notifications/actions.ts rotateChannelSecret`]: row('channel.manage', channel),
  [`${O}/settings/notifications/actions.ts testChannel`]: row('channel.manage', channel),
  [`${O}/settings/notifications/actions.ts deleteChannel`]: row('channel.manage', channel),
  [`${O}/settings/tokens/actions.ts createApiToken`]: row('token.manage', () => ({
    name: 'walk',
    scopes: ['projects:read'],
    expiresInDays: 1,
  })),
  [`${O}/settings/members/actions.ts removeMember`]: row('member.manage', ({ memberId }) => ({
    memberId,
  })),
  [`${O}/settings/general/actions.ts changeOrganization`]: row('organization.change', () => ({
    name: 'Walked',
  })),
  [`${P}/settings/actions.ts deleteProject`]: row('project.delete', project),
  [`${O}/settings/general/actions.ts requireSecondFactor`]: row('second_factor.require', () => ({
    isRequired: false,
  })),
  [`${O}/settings/general/actions.ts deleteOrganization`]: row('organization.delete', () => ({
    confirmSlug: 'not this one',
  })),
  [`${O}/settings/members/actions.ts leaveOrganization`]: row('organization.leave'),
};
