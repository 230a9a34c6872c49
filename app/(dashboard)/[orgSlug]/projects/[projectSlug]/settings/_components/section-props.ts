import type { Refusal } from '../../../../_components/permission';
import type { SavedProject } from './draft';

/** What every section of the settings gets. */
export interface SectionProps {
  organizationSlug: string;
  saved: SavedProject;
  refusal: Refusal;
}
