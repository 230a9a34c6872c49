/**
 * Tags of rows whose content has a length instead of ending with its line: text, and binary data.
 * See `processBinaryChunk` in React's Flight client.
 */
const COUNTED_TAGS = 'TAOobUSsLlGgMmV';

const [COLON, COMMA, LINE_END, ERROR_TAG] = [':', ',', '\n', 'E'].map((char) => char.charCodeAt(0));

/** `not-found` and redirects travel as errors, too; their digests start with this. */
const CONTROL_FLOW = /"digest":"NEXT_/;

/**
 * Whether part of a page failed on the server. Such an answer has status 200: the error is a row of
 * React's Flight protocol inside it, and the router would replace the page by its error message.
 *
 * @param body an answer of Next's router data, read to its end
 */
export function hasServerError(body: ArrayBuffer): boolean {
  const bytes = new Uint8Array(body);
  let at = 0;
  while (at < bytes.length) {
    const colon = bytes.indexOf(COLON as number, at);
    if (colon < 0) return false;
    const tag = bytes[colon + 1];
    if (tag !== undefined && COUNTED_TAGS.includes(String.fromCharCode(tag))) {
      const comma = bytes.indexOf(COMMA as number, colon);
      if (comma < 0) return false;
      const length = Number.parseInt(textOf(bytes.subarray(colon + 2, comma)), 16);
      if (Number.isNaN(length)) return false;
      at = comma + 1 + length;
      continue;
    }
    const newline = bytes.indexOf(LINE_END as number, colon);
    const end = newline < 0 ? bytes.length : newline;
    if (tag === ERROR_TAG && !CONTROL_FLOW.test(textOf(bytes.subarray(colon + 2, end))))
      return true;
    at = end + 1;
  }
  return false;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
