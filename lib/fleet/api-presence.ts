/** The row that says since when the runner API has answered without a gap. */
export const RUNNER_API = 'runner-api';
/** How often a web process says that it is there. */
export const PRESENCE_EVERY_SECONDS = 5;
/** A longer silence starts the count again. */
export const PRESENCE_GAP_SECONDS = 15;
