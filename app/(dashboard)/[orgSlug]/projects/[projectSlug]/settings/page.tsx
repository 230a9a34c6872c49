import type { Metadata } from 'next';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../_components/load-project';
import { SettingsPage } from './_components/settings-page';

interface SettingsIndexProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
}

export async function generateMetadata({ params }: SettingsIndexProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(`Settings · ${project.name}`) };
}

/** On phones the list of sections; on wide screens the first of them beside it. */
export default async function SettingsIndex({ params }: SettingsIndexProps) {
  return <SettingsPage {...(await params)} section="general" isIndex />;
}
