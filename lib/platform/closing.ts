/** Requests that are held open would keep a process from ending. */

import type { Server } from 'node:http';
import { within } from './within';

interface Closing {
  isClosing: boolean;
  ends: Set<() => void>;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchClosing?: Closing };

function state(): Closing {
  held.tierwatchClosing ??= { isClosing: false, ends: new Set() };
  return held.tierwatchClosing;
}

/**
 * Calls `end` on SIGTERM or SIGINT, immediately if the process is already shutting down. Returns a
 * function that unregisters it.
 */
export function onShutdown(end: () => void): () => void {
  const { isClosing, ends } = state();
  if (isClosing) end();
  else ends.add(end);
  return () => void ends.delete(end);
}

/** A process that waits longer for open requests than that has nothing left of the time it is given. */
const CLOSE_MS = 1_500;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/**
 * Ends the web process on SIGTERM or SIGINT: finishes open requests, for 1.5 s at most, does `last`, and
 * exits. For a start with NEXT_MANUAL_SIG_HANDLE, since Next would exit without waiting for anything else.
 */
export function exitOnSignals(last: () => Promise<void>): void {
  const exit = async (signal: keyof typeof EXIT_CODES) => {
    await within(CLOSE_MS, closeWebServer()).catch(() => undefined);
    await last();
    process.exit(EXIT_CODES[signal]);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void exit(signal));
}

/** The server that Next has made: `scripts/bootstrap/web-door.mjs` remembers it. */
function closeWebServer(): Promise<void> {
  const { tierwatchWebServer: server } = globalThis as unknown as { tierwatchWebServer?: Server };
  if (!server) return Promise.resolve();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Use when another SIGTERM handler exits the process. */
export function closeOnSignals(): void {
  const close = () => {
    state().isClosing = true;
    for (const end of [...state().ends]) end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, close);
}
