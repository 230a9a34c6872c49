import type { Metadata } from 'next';
import { Link } from '@/app/_components/ui/link';
import { MessagePage } from './_components/shell/message-page';
import { Button } from './_components/ui/button';

export const metadata: Metadata = { title: 'Nothing here' };

export default function NotFound() {
  return (
    <MessagePage
      title="There is nothing here"
      action={
        <Button asChild look="primary">
          <Link href="/orgs">Go to your organizations</Link>
        </Button>
      }
    >
      It was deleted, or your account can’t see it.
    </MessagePage>
  );
}
