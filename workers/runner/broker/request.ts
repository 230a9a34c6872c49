/**
 * Requests to the command broker: texts that each end with a zero byte, which no argument can
 * contain.
 *
 *     run, folder, number of arguments, program, arguments…   answers its id, then its stdout
 *     errors, id                                              answers its stderr
 *     end, id                                                 answers its exit code
 */
export type BrokerRequest =
  | { kind: 'run'; cwd: string; argv: string[] }
  /** More than a command may have; the program, and why. */
  | { kind: 'too_long'; program: string; why: string }
  | { kind: 'errors' | 'end'; id: string };

/**
 * Limit for a whole request. Anything that passes it fits into the event that records the command, so
 * no argument can be hidden by a cut.
 */
const MAX_BYTES = 32_000;
const MAX_ARGUMENTS = 500;

export interface RequestReader {
  /** Returns the request once it is complete. @throws Error if it can't become one */
  push(chunk: Buffer): BrokerRequest | null;
}

export function createRequestReader(): RequestReader {
  const texts: Buffer[] = [];
  let rest: Buffer[] = [];
  let bytes = 0;

  /** How many texts make the request; null while that isn't known. */
  function expected(): number | null {
    const [kind] = texts.map(String);
    if (kind === undefined) return null;
    if (kind === 'errors' || kind === 'end') return 2;
    if (kind !== 'run') throw new Error('There is no such request.');
    const count = texts[2]?.toString();
    if (count === undefined) return null;
    if (!/^[1-9]\d{0,6}$/.test(count)) throw new Error('It has no number of arguments.');
    return 3 + Number(count);
  }

  function tooLong(why: string): BrokerRequest {
    return { kind: 'too_long', program: texts[3]?.toString() ?? '', why };
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      let from = 0;
      const limit = Math.max(0, chunk.length - Math.max(0, bytes - MAX_BYTES));
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
        if (end >= limit) break;
        texts.push(Buffer.concat([...rest, chunk.subarray(from, end)]));
        rest = [];
        from = end + 1;
        const count = expected();
        if (texts.length === count) return request(texts.map(String));
        if (count !== null && texts.length >= 4 && count - 3 > MAX_ARGUMENTS) {
          return tooLong(`It has ${count - 4} arguments. A command may have ${MAX_ARGUMENTS - 1}.`);
        }
      }
      if (bytes > MAX_BYTES) {
        return tooLong(`It is longer than the ${MAX_BYTES / 1_000} kB that a command may have.`);
      }
      // Copied, because a slice would keep the whole chunk in memory.
      rest.push(Buffer.from(chunk.subarray(from)));
      return null;
    },
  };
}

function request([kind = '', ...texts]: readonly string[]): BrokerRequest {
  if (kind === 'run') return { kind, cwd: texts[0] ?? '', argv: texts.slice(2) };
  return { kind: kind === 'end' ? 'end' : 'errors', id: texts[0] ?? '' };
}
