/** The events of one attempt on disk, one JSON line each, in order and without gaps. */
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

const NEWLINE = 0x0a;
const SCAN_BYTES = 1_000_000;

export interface EventFile {
  /** @throws the system's error, such as ENOSPC; nothing of the line is left behind then. */
  append(line: string): void;
  /** Whole lines from `offset` on, together at most `maxBytes` but at least one if there is one. */
  read(offset: number, maxBytes: number, maxLines: number): string[];
  /** The offset behind `lines` lines from `offset` on; less where the file ends before. */
  skip(offset: number, lines: number): { offset: number; skipped: number };
  /** Resolves once everything that was appended is on the disk itself. */
  sync(): Promise<void>;
  close(): void;
}

export function openEventFile(file: string): EventFile {
  const descriptor = openSync(file, 'a+', 0o600);
  let size = fstatSync(descriptor).size;
  size = withoutTornLine();

  /** A line without an end was being written when the runner was killed; it was never sent. */
  function withoutTornLine(): number {
    let end = size;
    while (end > 0) {
      const from = Math.max(0, end - SCAN_BYTES);
      const last = bytesFrom(from, end - from).lastIndexOf(NEWLINE);
      end = last === -1 ? from : from + last + 1;
      if (last !== -1) break;
    }
    if (end < size) ftruncateSync(descriptor, end);
    return end;
  }

  function bytesFrom(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const got = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  }

  function readLines(offset: number, maxBytes: number, maxLines: number): string[] {
    const bytes = bytesFrom(offset, maxBytes);
    const lines: string[] = [];
    let start = 0;
    while (lines.length < maxLines) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) break;
      lines.push(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    if (lines.length === 0 && bytes.length === maxBytes && maxLines > 0) {
      return readLines(offset, maxBytes * 2, 1);
    }
    return lines;
  }

  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      } catch (error) {
        if (written > 0) ftruncateSync(descriptor, size);
        throw error;
      }
      size += bytes.length;
    },
    read: readLines,
    skip(offset, lines) {
      let at = offset;
      let skipped = 0;
      while (skipped < lines && at < size) {
        const bytes = bytesFrom(at, SCAN_BYTES);
        let start = 0;
        while (skipped < lines) {
          const end = bytes.indexOf(NEWLINE, start);
          if (end === -1) break;
          start = end + 1;
          skipped += 1;
        }
        if (start === 0) break;
        at += start;
      }
      return { offset: at, skipped };
    },
    sync: () => syncData(descriptor),
    close: () => closeSync(descriptor),
  };
}
