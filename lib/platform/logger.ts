import pino from 'pino';

/** Structured logs on stdout; secrets never go in, so nothing is redacted here. */
export const logger = pino({
  level: process.env.LOG_LEVEL ?? 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
});
