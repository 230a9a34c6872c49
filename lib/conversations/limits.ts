/** Apart from the schemas, so that pages know them without loading what checks. */
export const MAX_MESSAGE_CHARS = 20_000;

export const MAX_TITLE_CHARS = 80;
