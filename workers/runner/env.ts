/**
 * The environment of a runner, parsed once. A bad value stops the start with its name and what
 * is wanted.
 */
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { QueueBackend } from '@/lib/platform/queue/backend';
import { readSecrets } from '@/scripts/bootstrap/secret-files.mjs';
import { type AttemptLimits, defaultMemoryMb } from './process/limits';

/**
 * The CLI stores a conversation under the work dir's path, and shortens paths of more than 200
 * characters with a hash. The rest of the path needs about 90.
 */
const MAX_RUNNER_DIR_LENGTH = 110;

const optional = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be names of variables, separated by commas');

/** A whole number, or `off`, which gives null. */
function limit(least: number, most: number, unset: number) {
  const error = `must be a whole number from ${least} to ${most}, or off`;
  const count = z.coerce
    .number<string | number>({ error })
    .int({ error })
    .min(least, error)
    .max(most, error);
  const off = z.literal('off').transform(() => null);
  return optional.transform((value) => value ?? unset).pipe(z.union([off, count], { error }));
}

const schema = z.object({
  TIERWATCH_URL: z.url({
    protocol: /^https?$/,
    error: 'must be the address of the control plane, such as https://tierwatch.example.com',
  }),
  TIERWATCH_RUNNER_KEY: optional,
  TIERWATCH_RUNNER_DIR: z
    .string()
    .min(1)
    .default('.runner')
    .transform((value) => path.resolve(value))
    .refine(
      (value) => value.length <= MAX_RUNNER_DIR_LENGTH,
      `is too long as an absolute path; must be at most ${MAX_RUNNER_DIR_LENGTH} characters`,
    ),
  TIERWATCH_RUNNER_HIDE: z
    .string()
    .default('')
    .transform((value) => value.split(path.delimiter).filter(Boolean))
    .pipe(z.array(z.string().startsWith('/', 'must be absolute paths, separated by colons'))),
  TIERWATCH_RUNNER_CONCURRENCY: z.coerce
    .number({ error: 'must be a whole number from 1 to 200' })
    .int()
    .min(1)
    .max(200)
    .default(4),
  TIERWATCH_RUNNER_GRACE_SECONDS: z.coerce
    .number({ error: 'must be seconds from 0 to 600' })
    .min(0)
    .max(600)
    .default(5),
  TIERWATCH_RUNNER_UPDATE_SECONDS: z.coerce
    .number({ error: 'must be seconds from 5 to 600' })
    .min(5)
    .max(600)
    .default(120),
  TIERWATCH_RUNNER_CGROUP: z
    .enum(['auto', 'off'], { error: 'must be auto or off' })
    .default('auto'),
  TIERWATCH_RUNNER_MAX_PROCESSES: limit(64, 1_000_000, 1_024),
  TIERWATCH_RUNNER_MAX_MEMORY_MB: limit(256, 100_000_000, defaultMemoryMb(os.totalmem())),
  TIERWATCH_RUNNER_METRICS_PORT: optional
    .transform((value) => Number(value ?? 0))
    .pipe(
      z
        .number({ error: 'must be a port from 0 to 65535; 0 is off' })
        .int('must be a port from 0 to 65535; 0 is off')
        .min(0, 'must be a port from 0 to 65535; 0 is off')
        .max(65_535, 'must be a port from 0 to 65535; 0 is off'),
    ),
  TIERWATCH_RUNNER_QUEUE_URL: optional.pipe(
    z.string().startsWith('postgres', 'wants a postgresql:// address').optional(),
  ),
  REDIS_URL: optional.pipe(z.string().startsWith('redis', 'wants a redis:// address').optional()),
  TIERWATCH_RUNNER_PASS_ENV: z
    .string()
    .default('')
    .transform((value) => value.split(',').flatMap((name) => name.trim() || []))
    .pipe(z.array(variableName)),
});

export type RunnerEnv = ReturnType<typeof parseRunnerEnv>;

/** @throws Error whose message lists every bad variable, one a line. */
export function parseRunnerEnv(given: Record<string, string | undefined>) {
  const source = readSecrets(given);
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `  ${String(issue.path[0])}: ${issue.message}`,
    );
    throw new Error(`The runner's environment is not valid:\n${lines.join('\n')}`);
  }
  const value = parsed.data;
  return {
    url: value.TIERWATCH_URL.replace(/\/+$/, ''),
    /** If absent, the key is in a file that `enrol` wrote. */
    key: value.TIERWATCH_RUNNER_KEY ?? null,
    dir: value.TIERWATCH_RUNNER_DIR,
    /** Folders of this host that no sandbox shows, whatever a rule names. */
    hidden: value.TIERWATCH_RUNNER_HIDE,
    concurrency: value.TIERWATCH_RUNNER_CONCURRENCY,
    graceSeconds: value.TIERWATCH_RUNNER_GRACE_SECONDS,
    /** How long an updated runner may take until it is online; then it is taken back. */
    updateSeconds: value.TIERWATCH_RUNNER_UPDATE_SECONDS,
    /** Off where something else manages the cgroups of this host; the marker remains. */
    usesCgroup: value.TIERWATCH_RUNNER_CGROUP === 'auto',
    /** Of each agent, as far as the host can limit it. */
    limits: {
      processes: value.TIERWATCH_RUNNER_MAX_PROCESSES,
      memoryMb: value.TIERWATCH_RUNNER_MAX_MEMORY_MB,
    } satisfies AttemptLimits,
    /** Of its metrics, on loopback; 0: off. */
    metricsPort: value.TIERWATCH_RUNNER_METRICS_PORT,
    queue: queueBackend(value.REDIS_URL, value.TIERWATCH_RUNNER_QUEUE_URL),
    /** Names of additional variables that the agent may see. */
    passEnv: value.TIERWATCH_RUNNER_PASS_ENV,
    /** The whole environment: each agent has its own variables. */
    source,
  };
}

function queueBackend(
  redis: string | undefined,
  postgres: string | undefined,
): QueueBackend | null {
  if (redis) return { kind: 'redis', url: redis };
  // A fetch needs one connection that listens and one that asks.
  return postgres ? { kind: 'postgres', url: postgres, maxConnections: 2 } : null;
}
