/** Set by proxy.ts: the path and query of the page that is asked for, which a layout cannot see. */
export const PATH_HEADER = 'x-tierwatch-path';
