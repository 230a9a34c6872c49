/** What a fresh conversation is given of the one before it, and a message that carries it. */
export const TRANSCRIPT = [
  '[Chain #12] Fixed by tier 2.',
  '',
  '[Tier 2, Session #19] web is healthy again.',
  JSON.stringify({
    summary: 'web: healthy again',
    services_checked: [{ name: 'web', status: 'healthy' }, { name: 'db' }],
    actions_taken: [{ command: 'democtl restart web', outcome: 'restarted web\nin 2 s' }],
  }),
  '',
  '[Operator Ana]',
  'Which service?',
  'Operator decided (Service): db',
  '[Agent demo]',
  'db is well.',
].join('\n');
export const FROM_TRANSCRIPT = `So far:\n\n~~~~~~\n${TRANSCRIPT}\n~~~~~~\n\nThe new message:\n\nWhy did you restart web?`;
