/** The channel of all live hints. They carry ids alone; whoever hears one reads the rows again. */
export const LIVE_CHANNEL = 'tierwatch';
