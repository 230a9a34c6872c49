/** The schemas of the fields of all kinds of checks. The browser loads them to check a draft. */

import { z } from 'zod';
import type { Field, Fields, ValuesOf } from './check-kind';
import { CHECK_KINDS, type CheckFields } from './kinds';

const scalar = z.union([z.string().max(200), z.number(), z.boolean(), z.null()]);

/** At least one condition; all given ones must hold. */
const jsonCondition = z.object({
  path: z.string().min(1, 'Enter a path, such as $.status.').max(200),
  exists: z.boolean().optional(),
  equals: scalar.optional(),
  oneOf: z.array(scalar).min(1, 'List at least one value.').max(50).optional(),
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
});

const header = z.object({
  name: z.string().min(1, 'Enter a header name.').max(100),
  value: z.string().max(500),
});

function schemaOf(field: Field): z.ZodType {
  switch (field.control) {
    case 'number':
      return numberSchema(field);
    case 'text':
      return lengthened(z.string().max(field.max), field.min, field.missing);
    case 'choice':
      return z.enum(field.choices);
    case 'list': {
      const item = z.string().min(1).max(field.maxLength);
      return lengthened(z.array(item).max(field.max), field.min);
    }
    case 'exitCodes':
      return z.array(z.number().int().min(0).max(255)).min(1).max(20);
    case 'headers':
      return z.array(header).max(20);
    case 'json':
      return jsonCondition;
    case 'flag':
      return z.boolean();
  }
}

function numberSchema({
  unit,
  missing,
  isFractional,
  min,
  max,
  range,
}: Field & { control: 'number' }) {
  const ofUnit = (what: string) => (unit ? `Enter a ${what} of ${unit}.` : undefined);
  let schema = z.number(ofUnit('number') ?? missing);
  if (!isFractional) schema = schema.int(ofUnit('whole number'));
  if (min !== undefined) schema = schema.min(min, range);
  return max === undefined ? schema : schema.max(max, range);
}

function lengthened<Schema extends z.ZodString | z.ZodArray>(
  schema: Schema,
  min: number | undefined,
  missing?: string,
): z.ZodType {
  return min === undefined ? schema : schema.min(min, missing);
}

export type OptionalSchemas<Values> = {
  [Name in keyof Values]-?: z.ZodOptional<
    z.ZodType<NonNullable<Values[Name]>, NonNullable<Values[Name]>>
  >;
};

/** Returns the schemas of fields, none of which is required. */
export function fieldSchemas<Own extends Fields>(fields: Own): OptionalSchemas<ValuesOf<Own>> {
  const schemas = Object.entries(fields).map(([name, field]) => [name, schemaOf(field).optional()]);
  return Object.fromEntries(schemas) as OptionalSchemas<ValuesOf<Own>>;
}

export const CHECK_FIELDS = Object.assign(
  {},
  ...Object.values(CHECK_KINDS).map(({ fields }) => fields),
) as CheckFields;
