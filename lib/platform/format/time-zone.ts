import { z } from 'zod';

/** An IANA name that this machine knows. */
export const timeZoneSchema = z.string().refine((name) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}, 'Name a time zone, such as Europe/Berlin.');
