import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';

export default function NotFound() {
  return (
    <PageBody>
      <PageHeader
        title="There is nothing here"
        sentence="It was deleted, or your account can’t see it."
      />
      <Button asChild look="primary" className="self-start">
        <Link href="/orgs">Go to your organizations</Link>
      </Button>
    </PageBody>
  );
}
