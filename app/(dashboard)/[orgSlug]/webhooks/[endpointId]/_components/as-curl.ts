/** The same request for a POSIX shell. A receiver refuses its signature after five minutes. */
export function asCurl(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n');
}

/** In single quotes nothing means anything but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
