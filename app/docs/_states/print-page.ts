/** Prints the page, for scripts/write-docs.mjs. */
import { statesAndTimeouts } from './page-text';

process.stdout.write(statesAndTimeouts());
