const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** A file to download, made while it is sent; a reader that goes away ends the making. */
export function fileStream(
  name: string,
  type: keyof typeof TYPES,
  parts: AsyncIterable<string>,
): Response {
  const source = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': TYPES[type],
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}.${type}"`,
      'cache-control': 'no-store',
    },
  });
}

/** Returns a CSV file response. The byte order mark makes Excel read it as UTF-8. */
export function csvResponse(name: string, csv: string): Response {
  return new Response(`\uFEFF${csv}`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"`,
      'cache-control': 'no-store',
    },
  });
}

/** Returns a Markdown file response. */
export function markdownResponse(name: string, text: string): Response {
  return new Response(text, {
    headers: {
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"`,
      'cache-control': 'no-store',
    },
  });
}
