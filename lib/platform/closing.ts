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

/** Calls `end` when this process is told to end, at once if it was; returns what takes it back. */
export function onShutdown(end: () => void): () => void {
  const { isClosing, ends } = state();
  if (isClosing) end();
  else ends.add(end);
  return () => void ends.delete(end);
}

/** For a process that has a handler of these signals besides, which ends it. */
export function closeOnSignals(): void {
  const close = () => {
    state().isClosing = true;
    for (const end of [...state().ends]) end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, close);
}
