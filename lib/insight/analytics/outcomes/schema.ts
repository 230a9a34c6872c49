import type { z } from 'zod';
import type { chainOutcomeSchema } from '@/lib/insight/chains/view/schema';

export type ChainOutcome = z.infer<typeof chainOutcomeSchema>;
