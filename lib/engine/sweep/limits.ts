/** A host without contact for this long isn't waited for, in seconds. */
export const HOST_SILENT_SECONDS = 60;
