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
  | { kind: 'errors' | 'end'; id: string };

/** More than the kernel takes for one program. */
const MAX_BYTES = 4_000_000;
const MAX_ARGUMENTS = 20_000;

export interface RequestReader {
  /** Returns the request once it is complete. @throws Error if it can't become one */
  push(chunk: Buffer): BrokerRequest | null;
}

export function createRequestReader(): RequestReader {
  const texts: string[] = [];
  let rest: Buffer[] = [];
  let bytes = 0;

  /** How many texts make the request; null while that isn't known. */
  function expected(): number | null {
    const [kind] = texts;
    if (kind === undefined) return null;
    if (kind === 'errors' || kind === 'end') return 2;
    if (kind !== 'run') throw new Error('There is no such request.');
    const count = texts[2];
    if (count === undefined) return null;
    if (!/^[1-9]\d{0,5}$/.test(count)) throw new Error('It has no number of arguments.');
    if (Number(count) > MAX_ARGUMENTS) throw new Error('It has too many arguments.');
    return 3 + Number(count);
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error('It is too long.');
      let from = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
        texts.push(Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8'));
        rest = [];
        from = end + 1;
        if (texts.length === expected()) return request(texts);
      }
      rest.push(chunk.subarray(from));
      return null;
    },
  };
}

function request([kind = '', ...texts]: readonly string[]): BrokerRequest {
  if (kind === 'run') return { kind, cwd: texts[0] ?? '', argv: texts.slice(2) };
  return { kind: kind === 'end' ? 'end' : 'errors', id: texts[0] ?? '' };
}
