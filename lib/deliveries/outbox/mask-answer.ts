import querystring from 'node:querystring';
import { MASK } from '../schema';
import type { SendResult } from './transport';

/** Anything shorter could be an everyday word, and is no secret. */
const SHORTEST_SECRET = 8;

/** Returns the parts of a URL that often are a receiver's secret: its path and its query. */
export function secretsOfUrl(text: string): string[] {
  const url = new URL(text);
  const parts = [...url.pathname.split('/'), ...[...url.searchParams].flat()];
  return [url.pathname + url.search, url.pathname, ...parts];
}

/**
 * Masks what a receiver repeats of the request: error pages name the path and keys, and everyone in
 * the organization reads the result of a message.
 */
export function maskAnswer(sent: SendResult, secrets: readonly string[]): SendResult {
  const spellings = secrets
    .flatMap((part) => [part, encodeURIComponent(part), querystring.unescape(part)])
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const mask = (said: string) =>
    spellings.reduce((rest, part) => rest.replaceAll(part, MASK), said);
  const headers = Object.entries(sent.responseHeaders);
  return {
    ...sent,
    text: mask(sent.text),
    responseHeaders: Object.fromEntries(headers.map(([name, value]) => [name, mask(value)])),
  };
}
