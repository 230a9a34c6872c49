import { type CheckRules, checkKind, flagField, numberField, problem } from '../check-kind';

/** Where the check doesn't say: once a day, an hour late at most. */
export const DEFAULT_PERIOD_SECONDS = 86_400;
export const DEFAULT_GRACE_SECONDS = 3_600;

export const heartbeat = checkKind({
  word: 'Heartbeat',
  target: { label: 'Name', example: 'nightly-backup' },
  since: 2,
  isReceived: true,
  fields: {
    periodSeconds: numberField({
      label: 'Period (s)',
      placeholder: String(DEFAULT_PERIOD_SECONDS),
      place: 'main',
      min: 30,
      max: 366 * 86_400,
      unit: 'seconds',
      range: 'The period must be 30s to 366d.',
    }),
    graceSeconds: numberField({
      label: 'Grace (s)',
      name: 'grace period (s)',
      placeholder: String(DEFAULT_GRACE_SECONDS),
      place: 'main',
      min: 0,
      max: 31 * 86_400,
      unit: 'seconds',
      range: 'The grace period must be 0s to 31d.',
    }),
    isPostOnly: flagField({
      label: 'Count POST only',
      name: 'POST only',
      hint: 'A GET isn’t a ping then, so a link preview or crawler that opens the URL can’t report success.',
    }),
  },
});

export const pingRules = {
  target: 'a name',
  facts: {},
  texts: {
    periodSeconds: {
      doc: '`heartbeat`: expected time between two pings in seconds; a day by default.',
      comment: 'seconds',
    },
    graceSeconds: {
      doc: '`heartbeat`: how late a ping may be in seconds; an hour by default.',
      comment: 'seconds',
    },
    isPostOnly: {
      doc: '`heartbeat`: true where only POST is a ping. By default GET is one, too, and whatever opens the URL, such as a link preview, reports success.',
    },
  },
  problems: ({ target }) =>
    problem(
      'target',
      /^[A-Za-z0-9][\w .-]{0,59}$/.test(target),
      'Enter a name of at most 60 letters, digits, spaces, dots, hyphens and underscores.',
    ),
} satisfies CheckRules<typeof heartbeat.fields>;
