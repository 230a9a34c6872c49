// @ts-check

/** Ends this process with its supervisor, also when that was killed and could say nothing. */
export function endWithSupervisor() {
  process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0));
  process.stdin.resume();
}
