export interface SseMessage {
  /** `message` where the stream names none. */
  event: string;
  id: string | null;
  data: string;
}

/**
 * Reads server-sent events out of text that arrives in pieces cut anywhere. What has no empty
 * line behind it yet is kept for the next piece; comments and unknown fields are passed over.
 */
export class SseParser {
  private rest = '';

  /** The messages that this piece completed. */
  read(piece: string): SseMessage[] {
    const text = this.rest + piece;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) {
      this.rest = text;
      return [];
    }
    this.rest = text.slice(end + 2);
    return text
      .slice(0, end)
      .split('\n\n')
      .flatMap((block) => messageOf(block) ?? []);
  }
}

function messageOf(block: string): SseMessage | null {
  const message: SseMessage = { event: 'message', id: null, data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') message.event = value;
    if (field === 'id') message.id = value;
  }
  if (data.length === 0) return null;
  return { ...message, data: data.join('\n') };
}
