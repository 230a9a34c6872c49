/**
 * Everything to report about one attempt, on disk before any of it is sent and until all of it is
 * acknowledged.
 *
 * Writes end in the page cache, which outlives the runner's own death by SIGKILL. Only the start of a
 * command that may change something is forced to the disk: that costs milliseconds each time, and it
 * protects against a power cut only. A power cut ends the agents as well, and then the lease says what
 * is to be said: lost.
 */

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { cutValue } from '@/lib/agents/event-size';
import { logger } from '@/lib/platform/logger';
import { type RunnerEvent, runnerEventSchema } from '@/lib/protocol/events';
import {
  type AttemptResult,
  type EventsRequest,
  MAX_EVENTS_PER_BATCH,
} from '@/lib/protocol/schema';
import { writeWhole } from '../files';
import { type EventFile, openEventFile } from './event-file';

export type SpooledEvent = EventsRequest['batches'][number]['events'][number];

/** Kept in memory when the disk is full; what comes after that is dropped. */
const MAX_MEMORY_EVENTS = 2_000;

export interface AttemptSpool {
  readonly record: AttemptRecord;
  readonly lastSeq: number;
  readonly ackedSeq: number;
  /** True from the first event on that the disk did not take. */
  readonly isDiskFull: boolean;
  readonly result: AttemptResult | null;
  /** Never throws: what the disk does not take is kept in memory. `event` is redacted already. */
  append(event: unknown): void;
  /** Resolves once all events are on the disk itself. @throws Error where one isn't */
  sync(): Promise<void>;
  /** Unacknowledged events from the oldest on. After a restart only one, to ask how far it got. */
  pending(maxBytes: number, maxEvents: number): SpooledEvent[];
  /** All of them, where they are at most so many bytes and nothing is to be asked first; else null. */
  rest(maxBytes: number): SpooledEvent[] | null;
  /** `seq`: what the control plane has stored without a gap. */
  acknowledge(seq: number): void;
  /** Asks again how much the control plane has, and continues from there. */
  rewind(): void;
  setResult(result: AttemptResult): void;
  /** Called once it is no longer needed. */
  remove(): void;
  /** Moves what is left out of the way, for a person to look at. */
  setAside(dir: string): void;
}

/** What an earlier process of this runner left in the folder. */
interface LeftInSpool {
  lastSeq: number;
  result: AttemptResult | null;
}

export function openAttemptSpool(options: {
  folder: string;
  record: AttemptRecord;
  left?: LeftInSpool;
  openFile?: (file: string) => EventFile;
}): AttemptSpool {
  const { folder, record, openFile = openEventFile } = options;
  const file = openFile(path.join(folder, 'events.ndjson'));
  let lastSeq = options.left?.lastSeq ?? 0;
  let result = options.left?.result ?? null;
  /** Highest sequence number in the file; later ones are in memory. */
  let fileSeq = lastSeq;
  let acked = { seq: 0, offset: 0 };
  let isAskingHowFar = options.left !== undefined;
  let isDiskFull = false;
  let isOpen = true;
  let memory: SpooledEvent[] = [];

  function keepInMemory(spooled: SpooledEvent): boolean {
    if (memory.length >= MAX_MEMORY_EVENTS && spooled.event.kind !== 'result') return false;
    memory.push(spooled);
    return true;
  }

  function close(): void {
    if (isOpen) file.close();
    isOpen = false;
  }

  function pending(maxBytes: number, maxEvents: number): SpooledEvent[] {
    if (!isOpen || acked.seq >= lastSeq) return [];
    const limit = isAskingHowFar ? 1 : Math.min(maxEvents, fileSeq - acked.seq);
    const lines = acked.seq < fileSeq ? file.read(acked.offset, maxBytes, limit) : [];
    const events: SpooledEvent[] = lines.map((line) => JSON.parse(line));
    if (acked.seq + events.length < fileSeq) return events;
    return [...events, ...memory.slice(0, maxEvents - events.length)];
  }

  return {
    record,
    get lastSeq() {
      return lastSeq;
    },
    get ackedSeq() {
      return acked.seq;
    },
    get isDiskFull() {
      return isDiskFull;
    },
    get result() {
      return result;
    },
    append(event) {
      if (!isOpen) return;
      const at = new Date().toISOString();
      const spooled = { seq: lastSeq + 1, at, event: sendableEvent(event) };
      if (!isDiskFull) {
        try {
          file.append(JSON.stringify(spooled));
          fileSeq = spooled.seq;
          lastSeq = spooled.seq;
          return;
        } catch (error) {
          logger.error({ error: String(error), label: record.label }, 'spool write failed');
          isDiskFull = true;
        }
      }
      if (keepInMemory(spooled)) lastSeq = spooled.seq;
    },
    async sync() {
      if (isDiskFull || !isOpen) throw new Error('The events of this attempt can’t be written.');
      await file.sync();
    },
    pending,
    rest(maxBytes) {
      if (acked.seq >= lastSeq) return [];
      if (isAskingHowFar) return null;
      const events = pending(maxBytes, MAX_EVENTS_PER_BATCH);
      if (acked.seq + events.length < lastSeq) return null;
      // One event alone is read whatever its size, and events in memory are not counted there.
      return Buffer.byteLength(JSON.stringify(events)) > maxBytes ? null : events;
    },
    acknowledge(seq) {
      isAskingHowFar = false;
      // Less than before: the control plane was restored from a backup and needs the rest again.
      if (seq < acked.seq) acked = { seq: 0, offset: 0 };
      const inFile = Math.min(seq, fileSeq) - acked.seq;
      const { offset } = file.skip(acked.offset, Math.max(0, inFile));
      acked = { seq, offset };
      memory = memory.filter((event) => event.seq > seq);
      // More than is here: the end of the file was lost with a power cut after it was sent.
      lastSeq = Math.max(lastSeq, seq);
    },
    rewind() {
      acked = { seq: 0, offset: 0 };
      isAskingHowFar = true;
    },
    setResult(given) {
      result = given;
      try {
        writeWhole(path.join(folder, 'result.json'), JSON.stringify(given));
      } catch (error) {
        logger.error({ error: String(error), label: record.label }, 'spool write failed');
      }
    },
    remove() {
      close();
      rmSync(folder, { recursive: true, force: true });
    },
    setAside(dir) {
      close();
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const target = path.join(dir, path.basename(folder));
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    },
  };
}

/** Far below the largest body, so that a batch can always carry the next event. */
const MAX_EVENT_BYTES = 500_000;

/**
 * An event the control plane will take. One it would refuse would hold up every later one of its
 * attempt, so a notice goes in its place.
 */
export function sendableEvent(event: unknown): RunnerEvent {
  const parsed = runnerEventSchema.safeParse(event);
  if (!parsed.success) return leftOut(parsed.error.issues[0]?.path.join('.') ?? 'its form');
  if (sizeOf(parsed.data) <= MAX_EVENT_BYTES) return parsed.data;
  const cut = runnerEventSchema.safeParse(cutValue(parsed.data, MAX_EVENT_BYTES / 2));
  if (cut.success && sizeOf(cut.data) <= MAX_EVENT_BYTES) return cut.data;
  return leftOut('its length');
}

function leftOut(why: string): RunnerEvent {
  const message = `An event of the agent could not be sent because of ${why}.`;
  return { kind: 'notice', level: 'warning', code: 'EVENT_LEFT_OUT', message };
}

function sizeOf(event: RunnerEvent): number {
  return Buffer.byteLength(JSON.stringify(event));
}

/**
 * What a restarted runner must know about an attempt to find its processes and to end it. Contains
 * no prompt, key or environment.
 */
export const attemptRecordSchema = z.object({
  attemptId: z.string(),
  fence: z.number().int().positive(),
  label: z.string(),
  claimedAt: z.iso.datetime(),
  /** Carried in the environment of every process of the attempt. */
  marker: z.string(),
  /** cgroup of the attempt's own; null where the host allows none. */
  cgroupDir: z.string().nullable(),
  cliSessionId: z.string(),
  configDir: z.string(),
  /** Private to the attempt, with everything in it removed at its end. */
  attemptDir: z.string(),
  /** Of a confined attempt: where its conversation is until it ends. */
  privateConfigDir: z.string().nullable().default(null),
  workDir: z.string().nullable().default(null),
  writesHandoffFile: z.boolean(),
  /** The copy of another host's conversation, which is removed at the end of the attempt. */
  copyFile: z.string().nullable().default(null),
  /** See `currentBootId`. */
  bootId: z.string().nullable().default(null),
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;
