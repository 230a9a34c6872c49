import { INVITATION_DAYS } from './schema';

interface InvitationMailFacts {
  organizationName: string;
  invitedBy: string;
  role: string;
  link: string;
}

/** What an invited person reads. Plain text: nothing in it loads anything. */
export function invitationMail({ organizationName, invitedBy, role, link }: InvitationMailFacts): {
  subject: string;
  text: string;
} {
  const article = /^[aeo]/.test(role) ? 'an' : 'a';
  return {
    subject: `${invitedBy} invites you to ${organizationName} on Tierwatch`,
    text: [
      `${invitedBy} invites you to join ${organizationName} on Tierwatch as ${article} ${role}.`,
      '',
      'Open this link to join:',
      link,
      '',
      `It works once, for this address, within ${INVITATION_DAYS} days.`,
      'If you don’t know what this is about, ignore it: nothing happens without you.',
      '',
    ].join('\n'),
  };
}

/** Where an invitation is accepted. The token is in it, so it goes to one person. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}/invite/${token}`;
}
