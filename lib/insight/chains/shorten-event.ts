import type { SessionEventDto } from '../sessions/schema';

const HEAD_LINES = 3;
const TAIL_LINES = 11;
const MAX_LINE = 400;

/**
 * Returns the event without what the page of a chain doesn't draw: command lines, prompts, the raw
 * report, and the middle of a long output. The session's own log has all of it.
 */
export function shortenEvent(event: SessionEventDto): SessionEventDto {
  const payload = shortenPayload(event.kind, event.payload);
  return payload === event.payload ? event : { ...event, payload };
}

type Payload = SessionEventDto['payload'];

function shortenPayload(kind: string, payload: Payload): Payload {
  switch (kind) {
    case 'command':
      return { kind, argv: [] };
    case 'init':
      return { kind, cliVersion: payload.cliVersion, model: payload.model, tools: [] };
    case 'checkpoint':
      return { kind, trigger: payload.trigger };
    case 'result':
      return { ...payload, text: '' };
    case 'tool_call':
      return payload.tool === 'StructuredOutput' ? { ...payload, input: {} } : payload;
    case 'tool_result':
      return {
        ...payload,
        stdout: shortenOutput(payload.stdout),
        stderr: shortenOutput(payload.stderr),
        // Shown only where the output didn't come as a stream.
        content: typeof payload.stdout === 'string' ? '' : shortenOutput(payload.content),
      };
    default:
      return payload;
  }
}

/** The first 3 and last 11 lines, each up to 400 characters, with the number of those between. */
export function shortenOutput(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  const lines = output.split('\n').map((line) =>
    // A color code may be cut with it, but none is left open beyond its line.
    line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line,
  );
  const hidden = lines.length - HEAD_LINES - TAIL_LINES;
  if (hidden < 2) return lines.join('\n');
  return [
    ...lines.slice(0, HEAD_LINES),
    `… ${hidden.toLocaleString('en')} more lines in the session’s own log …`,
    ...lines.slice(-TAIL_LINES),
  ].join('\n');
}
