import {
  Activity,
  Bell,
  BellRing,
  ChevronRight,
  KeyRound,
  ScrollText,
  Server,
  Settings2,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Link } from '@/app/_components/ui/link';
import type { PageProps } from '@/app/page-props';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Organization settings' };

export default async function SettingsPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { overview } = await loadOverview(orgSlug);
  const sections = [
    {
      href: `/${orgSlug}/settings/general`,
      icon: Settings2,
      label: 'General',
      about: 'Its name and address, and how to leave or delete it.',
    },
    {
      href: `/${orgSlug}/settings/members`,
      icon: Users,
      label: 'Members',
      about: 'Who belongs to it, in which role, and who is invited.',
    },
    {
      href: `/${orgSlug}/settings/tokens`,
      icon: KeyRound,
      label: 'API tokens',
      about: 'Scoped, expiring tokens for the REST API.',
    },
    {
      href: `/${orgSlug}/settings/notifications`,
      icon: Bell,
      label: 'Notifications',
      about: 'Who is notified by Slack, on-call service or e-mail, and about what.',
    },
    {
      href: `/${orgSlug}/settings/paging`,
      icon: BellRing,
      label: 'Paging',
      about: 'Who is notified next while nobody works on an incident, and who is on call.',
    },
    {
      href: `/${orgSlug}/webhooks`,
      icon: Webhook,
      label: 'Webhooks',
      about: 'Where signed summaries go when a chain ends.',
    },
    {
      href: `/${orgSlug}/runners`,
      icon: Server,
      label: 'Runners',
      about: 'The hosts on which the agent runs, by pool.',
    },
    {
      href: `/${orgSlug}/audit`,
      icon: ScrollText,
      label: 'Audit log',
      about: 'Every change and decision: who, what, before and after.',
    },
    {
      href: `/${orgSlug}/system`,
      icon: Activity,
      label: 'System',
      about: 'Whether the database, queue and worker are up, and which versions run.',
    },
    {
      href: '/me',
      icon: UserRound,
      label: 'Your profile',
      about: 'Your name, password and the browsers in which you are signed in.',
    },
  ];
  return (
    <PageBody>
      <PageHeader
        title="Organization settings"
        sentence={`Settings for all of ${overview.organization.name}. Each project also has its own.`}
      />
      <ul className="overflow-hidden rounded-card border border-line bg-surface">
        {sections.map(({ href, icon: Icon, label, about }) => (
          <li key={href} className="border-line border-t first:border-t-0">
            <Link
              href={href}
              className="flex min-h-14 items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-hover"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-text-3" />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="font-medium">{label}</span>
                <span className="text-text-2 text-ui">{about}</span>
              </span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3" />
            </Link>
          </li>
        ))}
      </ul>
    </PageBody>
  );
}
