import { withoutHidden } from '@/lib/platform/format/visible-text';

/** Text of other systems on one line, without control and invisible characters; may be empty. */
export function oneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim();
}

/** The address of a web page; null for every other scheme, such as `javascript:`. */
export function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? url : null;
}
