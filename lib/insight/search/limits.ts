/** How many of the newest reports and commands a search reads; older ones aren't found. */
export const SEARCHED_REPORTS = 5_000;
export const SEARCHED_COMMANDS = 20_000;
