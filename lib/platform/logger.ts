import pino from 'pino';

/** Structured logs on stdout. Callers never pass secrets, so nothing is redacted here. */
export const logger = pino({
  level: process.env.LOG_LEVEL ?? 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
});
