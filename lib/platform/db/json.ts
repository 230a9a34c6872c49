import type { Prisma } from '@/generated/prisma/client';

/** A value of ours on its way into a JSON column; it was parsed where it came in. */
export function toJson(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}
