/**
 * Objects in a bucket of an S3-compatible store: written whole, under keys that are never used
 * again, and read whole. It relies on nothing that such stores do differently: no conditional
 * writes, no checksums of the server, no uploads in parts, no listing.
 */
import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';

export interface S3Settings {
  /** Null: that of the region at Amazon. */
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is named in the path and not in the host name. */
  isPathStyle: boolean;
}

/** A request to the store failed, or its outcome is unknown. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError';
  constructor(
    message: string,
    /** `refused`: a retry can't help until someone has changed the configuration. */
    readonly kind: FailureKind,
  ) {
    super(message);
  }
}

/** Each call is tried a few times, and throws ObjectStoreError. */
export interface ObjectStore {
  put(key: string, content: Buffer): Promise<void>;
  /**
   * Returns the object, unverified; null if there is none.
   *
   * @param bytes its expected size, which limits the time that reading it may take
   */
  get(key: string, bytes: number): Promise<Buffer | null>;
  /** Deletes the object, if there is one. */
  remove(key: string): Promise<void>;
  close(): void;
}

const CONNECT_MS = 5_000;
/** Without a byte in either direction. */
const SILENCE_MS = 30_000;
const MAX_TRIES = 3;
const MAX_SOCKETS = 16;
/** Of a whole call, with its tries. */
const CALL_MS = 30_000;
const MIN_BYTES_PER_MS = 100;

/** @param silenceMs how long the store may send nothing */
export function openS3Store(settings: S3Settings, silenceMs = SILENCE_MS): ObjectStore {
  const { bucket: Bucket } = settings;
  let opened: Promise<S3Client> | null = null;
  // Loaded at the first call: most installations have no bucket.
  const sdk = () => import('@aws-sdk/client-s3');
  const client = () => {
    opened ??= openClient(settings, silenceMs);
    return opened;
  };
  const limit = (bytes: number) => ({
    abortSignal: AbortSignal.timeout(
      Math.ceil(Math.min(CALL_MS, 3 * silenceMs) + bytes / MIN_BYTES_PER_MS),
    ),
  });

  async function call<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // A fault of the program is none of the store.
      const isOwn = error instanceof RangeError || error instanceof TypeError;
      if (isOwn || error instanceof ObjectStoreError) throw error;
      throw new ObjectStoreError(`${what}: ${failureName(error)}`, failureKind(error));
    }
  }

  async function read(key: string, bytes: number): Promise<Buffer | null> {
    const { GetObjectCommand } = await sdk();
    const command = new GetObjectCommand({ Bucket, Key: key });
    try {
      const { Body, ETag } = await (await client()).send(command, limit(bytes));
      const content = Buffer.from((await Body?.transformToByteArray()) ?? []);
      // A page of something in between, which answers 200 to everything.
      if (!ETag) throw new ObjectStoreError('get: the answer isn’t one of S3', 'away');
      return content;
    } catch (error) {
      if (failureName(error) === 'NoSuchKey') return null;
      throw error;
    }
  }

  return {
    put: (key, content) =>
      call('put', async () => {
        const { PutObjectCommand } = await sdk();
        const command = new PutObjectCommand({
          Bucket,
          Key: key,
          Body: content,
          ContentLength: content.length,
          // The one checksum that every store verifies.
          ContentMD5: createHash('md5').update(content).digest('base64'),
        });
        const { ETag } = await (await client()).send(command, limit(content.length));
        if (!ETag) throw new ObjectStoreError('put: the answer isn’t one of S3', 'away');
      }),
    // The SDK retries until the headers have come, and not a body that was cut off.
    get: (key, bytes) =>
      call('get', () =>
        read(key, bytes).catch((error: unknown) => {
          if (kindOf(error) === 'refused') throw error;
          return read(key, bytes);
        }),
      ),
    remove: (key) =>
      call('remove', async () => {
        const { DeleteObjectCommand } = await sdk();
        const command = new DeleteObjectCommand({ Bucket, Key: key });
        const { $metadata } = await (await client()).send(command, limit(0));
        // A page answers 200; S3 says that there is nothing more to say.
        if ($metadata.httpStatusCode !== 204) {
          throw new ObjectStoreError('remove: the answer isn’t one of S3', 'away');
        }
      }),
    close() {
      void opened?.then((open) => open.destroy());
    },
  };
}

function kindOf(error: unknown): FailureKind {
  return error instanceof ObjectStoreError ? error.kind : failureKind(error);
}

async function openClient(settings: S3Settings, silenceMs: number): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKeyId, secretAccessKey, isPathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: isPathStyle,
    // By default it sends checksums that several stores refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_TRIES,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, silenceMs),
      // No limit of the whole request, which would cut slow uploads.
      socketTimeout: silenceMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** What an error of the S3 client means. Its messages differ between stores, so none is read. */

/** `away`: may work later. `refused`: not until someone has changed the configuration. */
type FailureKind = 'away' | 'refused';

const REFUSALS = new Set([
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'NotImplemented',
  'SignatureDoesNotMatch',
]);

export function failureKind(error: unknown): FailureKind {
  return REFUSALS.has(failureName(error)) || statusOf(error) === 403 ? 'refused' : 'away';
}

/** Returns the short name of an error: `NoSuchKey`, `ECONNREFUSED`. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name !== 'Error') return error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { httpStatusCode } = metadata as { httpStatusCode?: unknown };
  // A clock that differs is answered with 403 as well, and the client corrects itself.
  const isClock = error.name === 'RequestTimeTooSkewed';
  return typeof httpStatusCode === 'number' && !isClock ? httpStatusCode : null;
}
