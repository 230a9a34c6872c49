import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

const manifestSchema = z.object({
  node: z.record(z.string(), z.object({ exportedName: z.string(), filename: z.string() })),
});

export interface BuiltAction {
  /** What a browser names it by. */
  id: string;
  name: string;
  /** Where it is written: `app/me/actions.ts`. */
  file: string;
}

/** Every server action that the built web process answers to. */
export function listBuiltActions(): BuiltAction[] {
  const file = path.join(checkout, '.next', 'server', 'server-reference-manifest.json');
  const { node } = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(node).map(([id, { exportedName, filename }]) => ({
    id,
    name: exportedName,
    file: filename,
  }));
}
