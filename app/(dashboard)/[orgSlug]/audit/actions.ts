'use server';

import { z } from 'zod';
import { action } from '@/lib/actions/action';
import { checkAudit } from '@/lib/audit/service/read-audit';

export const verifyAudit = action(z.object({ organizationSlug: z.string() }), ({ scope }) =>
  checkAudit(scope),
);
