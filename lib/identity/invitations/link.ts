/** Where an invitation is accepted. The token is in it, so it goes to one person. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}/invite/${token}`;
}
