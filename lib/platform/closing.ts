/** Requests that are held open would keep a process from ending. */

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

/** Use when another SIGTERM handler exits the process. */
export function closeOnSignals(): void {
  const close = () => {
    state().isClosing = true;
    for (const end of [...state().ends]) end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, close);
}
