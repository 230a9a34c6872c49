/** No event grows past a size that a page can show and a batch can carry. */

/** Bytes of text in one event. */
export const MAX_EVENT_BYTES = 64_000;
/** Bytes of a line we could not read that are kept. */
export const MAX_UNPARSED_BYTES = 2_000;

interface CutText {
  text: string;
  cutBytes: number;
}

/** Returns the longest prefix of `text` that fits, without splitting a character. */
export function cutText(text: string, maxBytes: number): CutText {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, cutBytes: 0 };
  let end = Math.max(0, maxBytes);
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.subarray(0, end).toString(), cutBytes: bytes.length - end };
}

/** Like cutText, with a remark at the end, for events that have no field for what was cut. */
export function cutWithRemark(text: string, maxBytes = MAX_EVENT_BYTES): string {
  const cut = cutText(text, maxBytes);
  return cut.cutBytes === 0 ? text : `${cut.text}\n[${cut.cutBytes} bytes left out]`;
}

/** Returns a copy of a JSON value whose texts total at most `maxBytes`. */
export function cutValue(value: Record<string, unknown>, maxBytes = MAX_EVENT_BYTES) {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return value;
  let left = maxBytes;
  const shorten = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') {
      const shortened = cutWithRemark(part, Math.max(0, left));
      left -= Buffer.byteLength(shortened);
      return shortened;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (left <= 0 || depth > 8) return '[left out]';
    left -= 2;
    if (Array.isArray(part)) return part.map((item) => shorten(item, depth + 1));
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => {
        left -= Buffer.byteLength(key) + 4;
        return [key, shorten(item, depth + 1)];
      }),
    );
  };
  const shortened = shorten(value, 0) as Record<string, unknown>;
  // Very many small parts can still be too long together.
  if (Buffer.byteLength(JSON.stringify(shortened)) <= maxBytes * 2) return shortened;
  return { left_out: cutWithRemark(JSON.stringify(value), maxBytes) };
}
