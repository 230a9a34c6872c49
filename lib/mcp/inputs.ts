/** Arguments that several tools have, and what they refer to. */
import { z } from 'zod';
import type { IncidentDetail } from '@/lib/incidents/view';
import { getChain } from '@/lib/insight/chains/get-chain';
import { getIncident, getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { InvalidError } from '@/lib/platform/errors';
import { listProjects } from '@/lib/projects/manage-project';
import { numberedReference, projectReference } from './references';
import type { ToolCall } from './tool';

const text = z.string().min(1).max(500);

export const projectInput = text.meta({ description: 'Slug, id (prj_…) or URL of the project.' });

export const optionalProject = projectInput.optional().meta({
  description:
    'Slug, id (prj_…) or URL of the project. Needed with a number, if there are several projects.',
});

export const chainInput = z.union([text, z.number().int()]).meta({
  description: 'Number within the project (5 or "Chain #5"), id (chn_…) or URL of the chain.',
});

export const sessionInput = z.union([text, z.number().int()]).meta({
  description: 'Number within the project (8 or "Session #8"), id (ses_…) or URL of the session.',
});

export const incidentInput = z.union([text, z.number().int()]).meta({
  description: 'Number within the project (3 or "Incident #3"), id (inc_…) or URL of the incident.',
});

/** Returns the id or slug of the project that an argument names; undefined if it is missing. */
export function projectOf(call: ToolCall, project: string | undefined): string | undefined {
  return project === undefined ? undefined : projectReference(project, call.place);
}

/**
 * Returns the id of a chain or session, or its number with its project.
 *
 * @throws InvalidError for a number without a project, if there are several projects
 */
export async function numberedOf(
  call: ToolCall,
  kind: 'chain' | 'session' | 'incident',
  input: string | number,
  project: string | undefined,
): Promise<string | { project: string; number: number }> {
  const reference = numberedReference(kind, input, project ?? null, call.place);
  if (typeof reference === 'string') return reference;
  const { number } = reference;
  return { project: reference.project ?? (await onlyProject(call, kind, number)), number };
}

/** Returns the `chn_…` of a chain that an argument names. Throws NotFoundError. */
export async function chainIdOf(
  call: ToolCall,
  chain: string | number,
  project: string | undefined,
): Promise<string> {
  const reference = await numberedOf(call, 'chain', chain, project);
  return typeof reference === 'string' ? reference : (await getChain(call.scope, reference)).id;
}

/** Returns the incident that an argument names. Throws NotFoundError. */
export async function incidentOf(
  call: ToolCall,
  incident: string | number,
  project: string | undefined,
): Promise<IncidentDetail> {
  const reference = await numberedOf(call, 'incident', incident, project);
  return typeof reference === 'string'
    ? getIncident(call.scope, reference)
    : getIncidentByNumber(call.scope, reference.project, reference.number);
}

async function onlyProject(call: ToolCall, kind: string, number: number): Promise<string> {
  const [only, ...others] = (await listProjects(call.scope, { limit: 2 })).data;
  if (only && others.length === 0) return only.slug;
  throw new InvalidError(
    `Each project counts its own ${kind}s, so ${kind} #${number} can’t be found without a project. Add the argument project.`,
    { project: 'is missing' },
  );
}
