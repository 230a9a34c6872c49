import type { InvitationDto } from '@/lib/identity/invitations/schema';
import type { MemberDto } from '@/lib/identity/members/schema';
import { formatCounted } from '@/lib/platform/format/count';

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
