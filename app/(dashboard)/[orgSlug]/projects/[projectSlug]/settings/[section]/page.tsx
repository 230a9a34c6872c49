import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ProjectPageProps } from '@/app/page-props';
import { visibleText } from '@/lib/platform/format/visible-text';
import { findSection } from '@/lib/projects/sections';
import type { Tier } from '@/lib/protocol/spec';
import { loadProject } from '../../_components/load-project';
import { SettingsPage } from '../_components/settings-page';

export async function generateMetadata({ params }: ProjectPageProps<'section'>): Promise<Metadata> {
  const { orgSlug, projectSlug, section } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  const label = findSection(section)?.label ?? 'Settings';
  return { title: visibleText(`${label} · ${project.name}`) };
}

export default async function SectionPage({ params, searchParams }: ProjectPageProps<'section'>) {
  const { orgSlug, projectSlug, section } = await params;
  const query = await searchParams;
  const found = findSection(section);
  if (!found) notFound();
  return (
    <SettingsPage
      orgSlug={orgSlug}
      projectSlug={projectSlug}
      section={found.key}
      tier={asTier(query.tier)}
      isSwitchingOn={query.switch === 'on'}
      source={typeof query.source === 'string' ? query.source : undefined}
    />
  );
}

function asTier(text: string | string[] | undefined): Tier {
  return text === '2' ? 2 : text === '3' ? 3 : 1;
}
