import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { visibleText } from '@/lib/platform/format/visible-text';
import type { Tier } from '@/lib/protocol/spec';
import { loadProject } from '../../_components/load-project';
import { SettingsPage } from '../_components/settings-page';
import { asSection, SECTIONS } from '../sections';

interface SectionPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string; section: string }>;
  searchParams: Promise<{
    tier?: string | string[];
    switch?: string | string[];
    source?: string | string[];
  }>;
}

export async function generateMetadata({ params }: SectionPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug, section } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  const label = SECTIONS.find((each) => each.key === section)?.label ?? 'Settings';
  return { title: visibleText(`${label} · ${project.name}`) };
}

export default async function SectionPage({ params, searchParams }: SectionPageProps) {
  const { orgSlug, projectSlug, section } = await params;
  const query = await searchParams;
  const key = asSection(section);
  if (!key) notFound();
  return (
    <SettingsPage
      orgSlug={orgSlug}
      projectSlug={projectSlug}
      section={key}
      tier={asTier(query.tier)}
      isSwitchingOn={query.switch === 'on'}
      source={typeof query.source === 'string' ? query.source : undefined}
    />
  );
}

function asTier(text: string | string[] | undefined): Tier {
  return text === '2' ? 2 : text === '3' ? 3 : 1;
}
