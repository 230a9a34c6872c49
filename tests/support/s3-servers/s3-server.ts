/**
 * Real S3-compatible servers for tests: Ceph's gateway and OpenStack Swift from Debian's packages,
 * which are unpacked into the data folder and not installed.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { S3Settings } from '@/lib/platform/s3-store';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

const run = promisify(execFile);
const SCRIPTS = import.meta.dirname;

export const S3_SERVERS = ['ceph', 'swift'] as const;
export type S3ServerName = (typeof S3_SERVERS)[number];

const PACKAGES: Record<S3ServerName, string[]> = {
  ceph: ['radosgw', 'ceph-osd', 'ceph-mon'],
  swift: ['python3-swift', 'memcached'],
};

const connectionSchema = z.object({
  endpoint: z.url(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Another user, without rights on the bucket. */
  reader: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
});

export interface S3Server {
  /** Of an empty bucket. */
  settings: S3Settings & { prefix: string };
  reader: { accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
}

const packagesOf = (name: S3ServerName) => path.join(checkout, '.data', 's3-servers', name);

/** Gets a server's packages. @returns why they can't be had; null if they are there */
export async function fetchS3Server(name: S3ServerName): Promise<string | null> {
  try {
    const folder = packagesOf(name);
    mkdirSync(path.dirname(folder), { recursive: true });
    // Two test files may want it at once.
    const script = ['bash', path.join(SCRIPTS, 'fetch.sh'), folder, ...PACKAGES[name]];
    await run('flock', [`${folder}.lock`, ...script], { timeout: 240_000 });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    return `The tests with S3 on ${name} are skipped: ${why}`;
  }
}

/** Ports of a server are counted from one number, below those that the system hands out. */
function basePort(name: S3ServerName): number {
  return 20_000 + (process.pid % 50) * 200 + S3_SERVERS.indexOf(name) * 100;
}

export async function startS3Server(name: S3ServerName): Promise<S3Server> {
  const home = await mkdtemp(path.join(os.tmpdir(), `tierwatch-s3-${name}-`));
  const stop = async () => {
    await run('bash', [path.join(SCRIPTS, 'stop.sh'), home, '--purge']);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const env = {
      ...process.env,
      S3_PACKAGES: packagesOf(name),
      S3_BASE_PORT: String(basePort(name)),
    };
    await run('bash', [path.join(SCRIPTS, 'start.sh'), name, home], { env, timeout: 180_000 });
    const file = path.join(home, 'connection.json');
    const { reader, ...connection } = connectionSchema.parse(
      JSON.parse(readFileSync(file, 'utf8')),
    );
    const settings = { ...connection, bucket: 'seals', prefix: 'kept/', isPathStyle: true };
    await createBucket(settings);
    return { settings, reader, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createBucket({ bucket, accessKeyId, secretAccessKey, ...where }: S3Settings) {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    endpoint: where.endpoint ?? '',
    region: where.region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}
