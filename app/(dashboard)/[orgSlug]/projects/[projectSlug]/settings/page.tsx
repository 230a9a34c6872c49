import type { ProjectPageProps } from '@/app/page-props';
import { projectMetadata } from '../_components/load-project';
import { SettingsPage } from './_components/settings-page';

export const generateMetadata = projectMetadata('Settings');

/** On phones the list of sections; on wide screens the first of them beside it. */
export default async function SettingsIndex({ params }: ProjectPageProps) {
  return <SettingsPage {...(await params)} section="general" isIndex />;
}
