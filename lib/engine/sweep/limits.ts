/** A host that was not heard of for this long is not waited for. */
export const HOST_SILENT_SECONDS = 60;
