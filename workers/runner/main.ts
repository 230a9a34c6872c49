/** The runner's program, as a service manager starts it: runs until SIGTERM or SIGINT. */
import { runRunner } from './program';

try {
  await runRunner(process.env);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
