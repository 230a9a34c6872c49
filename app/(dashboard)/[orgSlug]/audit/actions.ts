'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { checkAudit } from '@/lib/identity/audit/read-audit';
import { requireRecentProofOf } from '@/lib/identity/tenancy/recent-proof';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';

export const verifyAudit = action(z.object({ organizationSlug: z.string() }), ({ scope }) =>
  checkAudit(scope),
);

/** Whether a download of the log may start now: a link can't ask for a confirmation. */
export const prepareExport = action(
  z.object({ organizationSlug: z.string() }),
  async ({ scope }) => {
    requireMay(scope, 'audit.read');
    requireRecentProofOf(scope, new Date());
  },
);
