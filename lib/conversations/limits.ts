/** Apart from the schemas, so that pages know them without loading what checks. */
export const MAX_MESSAGE_CHARS = 20_000;
export const MAX_ASK_AGENTS = 5;
export const MAX_TITLE_CHARS = 80;
/**
 * Every turn forks its predecessor, so a long conversation is as deep as it has turns. After this
 * many the next one starts from the transcript, and the count begins anew.
 */
export const MAX_TURNS_RESUMED = 200;
