import { openApiDocument } from '@/lib/api/document/openapi';
import { apiReference, type Resource } from '@/lib/api/reference/operations';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { env } from '@/lib/platform/env';

let made: Resource[] | null = null;

/** The reference of this installation; it changes with the program alone. */
export function loadReference(): Resource[] {
  made ??= apiReference(openApiDocument(DESCRIPTIONS, env().publicUrl));
  return made;
}
