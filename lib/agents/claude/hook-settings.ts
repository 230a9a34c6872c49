/** The CLI's settings for one start: which hooks call the runner. */

/** Seconds. A hook that takes longer is cut off, and the agent goes on. */
const TIMEOUT_SECONDS = 5;

/**
 * `command`: a shell line that passes the hook's input on. A start is none of the sources that
 * SessionStart is asked for, since the runner has just made it.
 */
export function hookSettings(command: string): object {
  const hook = { type: 'command', command, timeout: TIMEOUT_SECONDS };
  const always = [{ hooks: [hook] }];
  return {
    hooks: {
      PreCompact: always,
      SessionStart: [{ matcher: 'compact|resume', hooks: [hook] }],
      UserPromptSubmit: always,
      SessionEnd: always,
    },
  };
}
