'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { tierModelsOf } from '@/lib/agents/registry';
import { deleteProject as remove } from '@/lib/engine/chains/delete-project';
import { testCheck as tryCheck } from '@/lib/fleet/check-tests';
import { slugSchema } from '@/lib/identity/organizations/slug';
import { getProjectId } from '@/lib/insight/dashboard/get-overview';
import { previewTier as preview } from '@/lib/insight/preview';
import { projectPatchSchema } from '@/lib/projects/document/schema';
import { LONGEST_YAML } from '@/lib/projects/document/yaml';
import { applyFile as apply, compareFile as compare } from '@/lib/projects/file';
import { adoptDefaultRules as adopt, saveProject } from '@/lib/projects/manage-project';
import { projectConfigSchema } from '@/lib/projects/schema';
import { compareVersions as compareTwo, restoreVersion as restore } from '@/lib/projects/versions';
import { checkSchema, tierSchema } from '@/lib/protocol/spec';
import {
  createSignalSource,
  deleteSignalSource as removeAlertSource,
  rotateSignalToken as rotateToken,
  updateSignalSource,
} from '@/lib/signals/manage-sources';
import { previewSignals as previewBody } from '@/lib/signals/preview-signals';
import { previewBodySchema } from '@/lib/signals/request-schema';
import { createSignalSourceSchema, updateSignalSourceSchema } from '@/lib/signals/source-schema';

const nameSchema = projectPatchSchema.shape.name.unwrap();

export const saveSettings = action(
  z.object({
    /** The slug before the save. */
    project: z.string(),
    baseVersion: z.number().int(),
    name: nameSchema,
    slug: slugSchema,
    config: projectConfigSchema,
  }),
  async ({ scope, input }) => {
    const projectId = await getProjectId(scope, input.project);
    const { baseVersion, name, slug, config } = input;
    return saveProject(scope, { projectId, baseVersion, name, slug, config });
  },
);

/** Replaces the default rules of earlier versions in every tier. */
export const adoptDefaultRules = action(
  z.object({ project: z.string(), baseVersion: z.number().int() }),
  async ({ scope, input }) => adopt(scope, input),
);

export const restoreVersion = action(
  z.object({
    project: z.string(),
    version: z.number().int(),
    baseVersion: z.number().int(),
  }),
  async ({ scope, input }) => restore(scope, input),
);

/** Returns the differences between any two versions, also for viewers. */
export const compareVersions = action(
  z.object({ project: z.string(), from: z.number().int(), to: z.number().int() }),
  async ({ scope, input }) => compareTwo(scope, input),
);

const fileSchema = z.object({
  project: z.string(),
  text: z.string().max(LONGEST_YAML, 'The file has more than 1 MB.'),
});

/** Writes nothing, so viewers may look what a file would change. */
export const compareFile = action(fileSchema, async ({ scope, input }) =>
  compare(scope, input, tierModelsOf),
);

export const applyFile = action(
  fileSchema.extend({ baseVersion: z.number().int() }),
  async ({ scope, input }) => apply(scope, input, tierModelsOf),
);

/** Needs no role beyond being a member: viewers read the argv, too. */
export const previewTier = action(
  z.object({
    name: z.string(),
    config: projectConfigSchema,
    tier: tierSchema,
    cliVersion: z.string().nullable(),
  }),
  async ({ input }) => preview(input, input.tier, input.cliVersion),
);

/** Has a runner of the pool look at once; the form's values, saved or not. */
export const testCheck = action(
  z.object({
    pool: z.string().min(1),
    service: z.string(),
    check: checkSchema,
    project: z.string().optional(),
  }),
  async ({ scope, input }) => tryCheck(scope, input),
);

export const deleteProject = action(z.object({ project: z.string() }), async ({ scope, input }) => {
  await remove(scope, input.project);
  redirect(`/${scope.organizationSlug}`);
});

export const addSignalSource = action(
  z.object({ source: createSignalSourceSchema }),
  async ({ scope, input }) => createSignalSource(scope, input.source),
);

const sourceSchema = z.object({ sourceId: z.string() });

export const changeSignalSource = action(
  sourceSchema.extend({ changes: updateSignalSourceSchema }),
  async ({ scope, input }) => updateSignalSource(scope, input.sourceId, input.changes),
);

export const rotateSignalToken = action(sourceSchema, async ({ scope, input }) =>
  rotateToken(scope, input.sourceId),
);

export const deleteSignalSource = action(sourceSchema, async ({ scope, input }) => {
  await removeAlertSource(scope, input.sourceId);
});

/** Returns what a body would become, also for viewers. */
export const previewSignals = action(
  sourceSchema.extend({ preview: previewBodySchema }),
  async ({ scope, input }) => previewBody(scope, input.sourceId, input.preview),
);
