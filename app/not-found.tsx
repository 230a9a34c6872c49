import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { MessagePage } from './_components/shell/message-page';

export const metadata: Metadata = { title: 'Nothing here' };

export default function NotFound() {
  return (
    <MessagePage
      title="There is nothing here"
      action={
        <ButtonLink look="primary" href="/orgs">
          Go to your organizations
        </ButtonLink>
      }
    >
      It was deleted, or your account can’t see it.
    </MessagePage>
  );
}
