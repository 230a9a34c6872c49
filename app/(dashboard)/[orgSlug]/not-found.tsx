import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { ButtonLink } from '@/app/_components/ui/button-link';

export default function NotFound() {
  return (
    <PageBody>
      <PageHeader
        title="There is nothing here"
        sentence="It was deleted, or your account can’t see it."
      />
      <ButtonLink look="primary" className="self-start" href="/orgs">
        Go to your organizations
      </ButtonLink>
    </PageBody>
  );
}
