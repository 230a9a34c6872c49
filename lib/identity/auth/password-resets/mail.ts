/** What somebody reads who has forgotten their password. */
export function resetMail(link: string): { subject: string; text: string } {
  return {
    subject: 'Set a new password for Tierwatch',
    text: [
      'Somebody, most likely you, asked for a new password for this address.',
      '',
      'Open this link to set one:',
      link,
      '',
      'It works once, within an hour. If it was not you, ignore it: nothing has changed.',
      '',
    ].join('\n'),
  };
}
