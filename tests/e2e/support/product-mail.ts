import { type MailServer, startMailServer } from '../../support/mail-server/mail-server';
import { mailUrl } from './mail-url';

/** The server to which the product under test sends its mail. */
export function startProductMail(baseURL: string | undefined): Promise<MailServer> {
  const { port } = new URL(mailUrl(Number(new URL(baseURL ?? '').port)));
  return startMailServer(Number(port));
}
