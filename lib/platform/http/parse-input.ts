import type { z } from 'zod';
import { InvalidError } from '../errors';

/** Throws InvalidError with the first thing wrong at each field, by its path: `tiers.0.model`. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const [first] = Object.entries(fields);
  const message = first ? `${first[0] ? `${first[0]}: ` : ''}${first[1]}` : 'It is not valid.';
  throw new InvalidError(message, fields);
}
