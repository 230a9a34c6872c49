/** Logs without end, and exits on SIGTERM as the product's programs do. */
import { logger } from '@/lib/platform/logger';

const LINES_AT_ONCE = 200;

setInterval(() => {
  for (let line = 0; line < LINES_AT_ONCE; line += 1) logger.info({ line }, 'x'.repeat(500));
}, 5);
process.on('SIGTERM', () => process.exit(7));
