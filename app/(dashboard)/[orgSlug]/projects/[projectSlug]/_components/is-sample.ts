import { cache } from 'react';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { hasSample } from '@/lib/projects/demo-service/client';

/** Whether the project watches the services of the demo, so that they may be broken from here. */
export const isSample = cache(
  async (scope: TenantScope, project: ProjectFacts): Promise<boolean> =>
    project.harness === 'demo' && hasSample(scope, project.id),
);
