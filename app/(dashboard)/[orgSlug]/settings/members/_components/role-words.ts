import type { InvitationDto } from '@/lib/identity/invitations/schema';
import type { MemberDto } from '@/lib/identity/members/schema';
import { type Act, MIN_ROLE } from '@/lib/identity/tenancy/role-matrix';
import type { Role } from '@/lib/platform/db/roles';
import { formatCounted } from '@/lib/platform/format/count';

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'Viewer',
  operator: 'Operator',
  admin: 'Admin',
  owner: 'Owner',
};

const ACT_WORDS: Record<Act, string> = {
  'organization.read': 'sees projects, chains, sessions, costs, runners and webhooks',
  'member.read': 'sees the members',
  'organization.leave': 'leaves',
  'chain.run': 'runs chains',
  'chain.stop': 'stops chains',
  'chain.acknowledge': 'acknowledges chains',
  'incident.acknowledge': 'acknowledges, silences, merges and resolves incidents',
  'approval.decide': 'approves and refuses commands and tiers, as far as a project lets them',
  'session.checkpoint': 'requests checkpoints',
  'session.discard': 'discards the checkpoints of a session',
  'conversation.ask': 'asks the agent, and answers its questions',
  'service.snooze': 'snoozes services',
  'project.pause': 'pauses projects',
  'tier.pause': 'pauses tiers',
  'runner.pause': 'pauses runners',
  'organization.pause': 'pauses everything',
  'demo.break': 'breaks the demo service',
  'chain.run_above_tier_1': 'starts a chain above tier 1',
  'conversation.delete': 'deletes conversations with the agent',
  'project.create': 'creates projects',
  'project.change': 'changes their settings and what each tier may do',
  'runner.manage': 'adds, drains and revokes runners',
  'webhook.manage': 'manages webhooks',
  'channel.manage': 'manages notification channels and paging',
  'alert_source.manage': 'manages alert sources',
  'token.manage': 'creates and revokes API tokens',
  'member.manage': 'invites, removes and changes the role of people below owner',
  'organization.change': 'changes the organization’s name and address',
  'audit.read': 'reads and verifies the audit log',
  'owner.manage': 'appoints, demotes and removes owners',
  'check.allow_command': 'allows checks to run commands that aren’t known as harmless',
  'project.delete': 'deletes projects',
  'second_factor.require': 'requires a second factor of every member',
  'organization.delete': 'deletes the organization',
};

/** What a role adds to the one below it, in words. */
export function actsGainedBy(role: Role): string[] {
  return (Object.keys(MIN_ROLE) as Act[])
    .filter((act) => MIN_ROLE[act] === role)
    .map((act) => ACT_WORDS[act]);
}

/** One sentence for a choice of roles. */
export const ROLE_HINTS: Record<Role, string> = {
  viewer: 'Sees everything but API tokens and the audit log. Changes nothing.',
  operator: 'Also runs, stops, pauses, snoozes and acknowledges.',
  admin: 'Also changes settings, runners, webhooks, tokens and members.',
  owner: 'Also deletes projects and the organization, and appoints owners.',
};

/** "the API token", "the 3 API tokens". */
export function tokenCountWords(count: number): string {
  return count === 1 ? 'the API token' : `the ${count} API tokens`;
}

/** Who is in, and who has not come yet. `isWhole`: the page shows all members. */
export function membersSentence(
  members: readonly Pick<MemberDto, 'role'>[],
  invitations: readonly Pick<InvitationDto, 'state'>[],
  isWhole: boolean,
): string {
  const owners = members.filter(({ role }) => role === 'owner').length;
  const people = isWhole
    ? `${formatCounted(members.length, 'person', 'people')}, ${formatCounted(owners, 'owner')}.`
    : 'More people than fit on one page.';
  const open = invitations.filter(({ state }) => state === 'pending').length;
  const expired = invitations.length - open;
  const waiting = [
    open > 0 ? `${formatCounted(open, 'invitation is', 'invitations are')} open` : '',
    expired > 0 ? `${expired} ${expired === 1 ? 'has' : 'have'} expired` : '',
  ].filter(Boolean);
  if (waiting.length === 0) return people;
  const text = waiting.join(', ');
  return `${people} ${open > 0 ? text : `Of the invitations ${text}`}.`;
}
