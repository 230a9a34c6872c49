import { StringDecoder } from 'node:string_decoder';

/**
 * Reads at most `maxBytes` of a body as UTF-8 and leaves the rest unread. A character cut in two is
 * dropped; NUL becomes U+FFFD, since PostgreSQL stores none.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ text: string; isTruncated: boolean }> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    const left = maxBytes - bytes;
    text += decoder.write(Buffer.from(chunk.subarray(0, left)));
    bytes += chunk.length;
    if (bytes > maxBytes) return { text: withoutNul(text), isTruncated: true };
  }
  return { text: withoutNul(text + decoder.end()), isTruncated: false };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
