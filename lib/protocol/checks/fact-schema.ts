import { z } from 'zod';
import type { Fact } from './check-kind';
import type { OptionalSchemas } from './field-schema';
import { CHECK_RULES, type CheckFacts } from './kinds';

const text = z.string().max(2_000);
const milliseconds = z.number().int().nonnegative().nullable();
const SHAPES: Record<Fact['shape'], (fact: Fact) => z.ZodType> = {
  text: () => text,
  texts: ({ max = 0 }) => z.array(text).max(max),
  integer: () => z.number().int(),
  count: () => z.number().int().nonnegative(),
  number: () => z.number(),
  phases: () =>
    z.object({
      dnsMs: milliseconds,
      connectMs: milliseconds,
      tlsMs: milliseconds,
      firstByteMs: milliseconds,
    }),
};

/** Every fact is absent where its kind of check doesn't measure it, or didn't get that far. */
export const checkFactsSchema = z.object(
  Object.fromEntries(
    Object.values(CHECK_RULES).flatMap((kind) =>
      Object.entries<Fact>(kind.facts).map(([name, fact]) => [
        name,
        SHAPES[fact.shape](fact).optional(),
      ]),
    ),
  ) as OptionalSchemas<CheckFacts>,
);
