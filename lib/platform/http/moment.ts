import { z } from 'zod';

const EXAMPLE = 'Enter a time such as 2026-01-31T18:00:00Z.';

/** A point in time that the database can store: ISO 8601 with an offset, from the year 1000 on. */
export const momentSchema = z.iso
  .datetime({ offset: true, error: EXAMPLE })
  .refine((text) => !text.startsWith('0'), EXAMPLE);
