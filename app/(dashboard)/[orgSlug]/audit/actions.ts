'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { checkAudit } from '@/lib/identity/audit/read-audit';

export const verifyAudit = action(z.object({ organizationSlug: z.string() }), ({ scope }) =>
  checkAudit(scope),
);
