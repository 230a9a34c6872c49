import type { InvitationDto } from '@/lib/invitations/schema';
import type { MemberDto } from '@/lib/members/schema';

/** Who is in, and who has not come yet. `isWhole`: the page shows all members. */
export function membersSentence(
  members: readonly Pick<MemberDto, 'role'>[],
  invitations: readonly Pick<InvitationDto, 'state'>[],
  isWhole: boolean,
): string {
  const owners = members.filter(({ role }) => role === 'owner').length;
  const people = isWhole
    ? `${counted(members.length, 'person', 'people')}, ${counted(owners, 'owner', 'owners')}.`
    : 'More people than fit on one page.';
  const open = invitations.filter(({ state }) => state === 'pending').length;
  const expired = invitations.length - open;
  const waiting = [
    open > 0 ? `${counted(open, 'invitation is', 'invitations are')} open` : '',
    expired > 0 ? `${expired} ${expired === 1 ? 'has' : 'have'} expired` : '',
  ].filter(Boolean);
  if (waiting.length === 0) return people;
  const text = waiting.join(', ');
  return `${people} ${open > 0 ? text : `Of the invitations ${text}`}.`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
