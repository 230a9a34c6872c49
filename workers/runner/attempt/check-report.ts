/** Follows the file to which the tool `check` appends what it has found. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type CheckResultEvent, runnerEventSchema } from '@/lib/protocol/events';

export interface CheckReport {
  /** What was appended since the last call, whole lines only. */
  read(): CheckResultEvent[];
}

export function followCheckReport(file: string): CheckReport {
  let offset = 0;
  let rest = '';
  return {
    read() {
      const added = readFrom(file, offset);
      offset += added.length;
      const lines = (rest + added.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      return lines.flatMap(parseLine);
    },
  };
}

function readFrom(file: string, offset: number): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

function parseLine(line: string): CheckResultEvent[] {
  try {
    const outcome: unknown = JSON.parse(line);
    if (typeof outcome !== 'object' || outcome === null) return [];
    const event = runnerEventSchema.safeParse({ ...outcome, kind: 'check_result' });
    return event.success && event.data.kind === 'check_result' ? [event.data] : [];
  } catch {
    return [];
  }
}
