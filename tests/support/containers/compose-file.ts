/** docker-compose.yml as Compose reads it: anchors merged, variables replaced. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

const serviceSchema = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), target: z.string() }).optional(),
  user: z.string().optional(),
  entrypoint: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  privileged: z.boolean().default(false),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  cpus: z.number().optional(),
  pids_limit: z.number().optional(),
});

const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

export type ComposeFile = z.output<typeof composeSchema>;
export type ComposeService = ComposeFile['services'][string];

/**
 * Reads the checkout's docker-compose.yml.
 *
 * @param variables what an operator sets in .env
 * @throws Error for a variable that the file requires and that isn't set
 */
export function readCompose(variables: Record<string, string> = {}): ComposeFile {
  const text = readFileSync(path.join(checkout, 'docker-compose.yml'), 'utf8');
  const raw: unknown = parse(text, { merge: true });
  return composeSchema.parse(replaceIn(raw, variables));
}

function replaceIn(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return replaceVariables(value, variables);
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaceIn(each, variables)]),
  );
}

/** `$$`, `${NAME}`, `${NAME:-default}`, `${NAME:+replacement}` and `${NAME:?message}`. */
export function replaceVariables(text: string, variables: Record<string, string>): string {
  return text.replaceAll(
    /\$(?:(\$)|\{(\w+)(?::([-+?])([^}]*))?\})/g,
    (_whole, dollar?: string, name = '', operator?: string, word = '') => {
      if (dollar) return '$';
      const value = variables[name] ?? '';
      if (operator === '+') return value === '' ? '' : word;
      if (value !== '' || operator === undefined) return value;
      if (operator === '?') throw new Error(`${name} ${word}`);
      return word;
    },
  );
}
