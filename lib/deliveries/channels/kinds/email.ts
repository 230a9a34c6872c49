import { z } from 'zod';
import { mailSending, NO_MAIL_SERVER } from '../../mail';
import { channelKind } from '../kind';

const MAX_ADDRESSES = 10;

export const email = channelKind({
  kind: 'email',
  name: 'E-mail',
  inSentence: 'e-mail',
  words: 'mail',
  shownIn: 'addresses',
  isAvailable: ({ smtpUrl }) => smtpUrl !== null,
  fields: ({ smtpUrl }) => [
    {
      type: 'list',
      name: 'addresses',
      label: 'Addresses',
      separators: ',;',
      placeholder: 'ops@example.com',
      hint: smtpUrl ? `Up to ${MAX_ADDRESSES}, separated by commas.` : NO_MAIL_SERVER,
    },
  ],
  settings: () =>
    z.object({
      kind: z.literal('email').meta({ description: 'By e-mail.' }),
      addresses: z
        .array(z.email({ error: 'Enter a full address, such as ops@example.com.' }))
        .min(1, 'Enter at least one address.')
        .max(MAX_ADDRESSES, `A channel has at most ${MAX_ADDRESSES} addresses.`)
        .transform((addresses) => [...new Set(addresses)])
        .meta({ description: `Up to ${MAX_ADDRESSES} e-mail addresses.` }),
    }),
  target: ({ addresses }) => addresses.join(', '),
  secrets: () => [],
  problem: (_, { smtpUrl }) =>
    smtpUrl ? null : { field: 'addresses', error: 'no_mail_server', message: NO_MAIL_SERVER },
  prepare: ({ using, installation, delivery, channelName }, { addresses }) =>
    mailSending(
      using.mailer,
      delivery,
      addresses,
      `You received this message through the notification channel ${channelName}. To change the channel, open ${installation.publicUrl} and go to Organization settings, Notifications.`,
    ),
});
