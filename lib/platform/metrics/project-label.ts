/** The label `project`, which an installation may choose to have: see TIERWATCH_METRICS_PROJECT_LABEL. */

/** UUIDs. */
export interface OfProject {
  organizationId: string;
  projectId: string;
}

type Resolver = (project: OfProject) => Promise<string>;

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchProjectLabel?: Resolver | undefined };

/** Adds the label from now on; null ends that. @param resolve gives a project's value */
export function addProjectLabel(resolve: Resolver | null): void {
  held.tierwatchProjectLabel = resolve ?? undefined;
}

export function hasProjectLabel(): boolean {
  return held.tierwatchProjectLabel !== undefined;
}

/** Returns the value of the label; `unknown` if the project can't be read. */
export async function projectLabel(project: OfProject): Promise<string> {
  try {
    return (await held.tierwatchProjectLabel?.(project)) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
