/**
 * Splits a byte stream into lines without holding more than `maxBytes` of any. What a longer line
 * has beyond that is counted and let go.
 */
interface LineReader {
  push(chunk: Buffer): void;
  /** The rest, when the stream ended without a newline. */
  end(): void;
}

const NEWLINE = 0x0a;

export function createLineReader(
  maxBytes: number,
  onLine: (line: string, cutBytes: number) => void,
): LineReader {
  let parts: Buffer[] = [];
  let kept = 0;
  let cut = 0;

  function take(piece: Buffer): void {
    const part = piece.subarray(0, maxBytes - kept);
    cut += piece.length - part.length;
    if (part.length === 0) return;
    parts.push(part);
    kept += part.length;
  }

  function finish(): void {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const whole = cut > 0 ? withoutCutCharacter(bytes) : bytes;
    const line = whole.toString();
    const missing = cut + bytes.length - whole.length;
    parts = [];
    kept = 0;
    cut = 0;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line, missing);
  }

  return {
    push(chunk) {
      let start = 0;
      while (start < chunk.length) {
        const end = chunk.indexOf(NEWLINE, start);
        if (end === -1) break;
        take(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      // Copied, since a small rest must not keep its whole chunk in memory.
      if (start < chunk.length) take(Buffer.from(chunk.subarray(start)));
    },
    end() {
      if (kept > 0 || cut > 0) finish();
    },
  };
}

/** Bytes 10xxxxxx continue a character, 11xxxxxx begin one. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  if (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0) end -= 1;
  return end === bytes.length || bytes.length - end > 4 ? bytes : bytes.subarray(0, end);
}
