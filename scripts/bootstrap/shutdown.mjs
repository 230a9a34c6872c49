const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Collects what has to be undone and undoes it, the latest first, once: on a signal or when asked.
 * A second signal hurries.
 */
export function prepareShutdown({ onStopping = () => {} } = {}) {
  const closers = [];
  let closing;
  let isHurried = false;

  const close = () => {
    closing ??= (async () => {
      for (const closer of closers.splice(0).reverse()) {
        try {
          await closer(isHurried);
        } catch (error) {
          process.stderr.write(`While stopping: ${error.message}\n`);
        }
      }
    })();
    return closing;
  };

  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (closing) isHurried = true;
      else onStopping();
      // Asked to stop and stopped in order is a success, as far as supervisors are concerned.
      close().then(() => process.exit(signal === 'SIGHUP' ? code : 0));
    });
  }
  return {
    /** @param {(isHurried: boolean) => unknown} closer */
    add: (closer) => {
      closers.push(closer);
    },
    close,
    isClosing: () => closing !== undefined,
  };
}
