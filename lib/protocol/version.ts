/** Of the runner's program; raised with every change of it that hosts should have. */
export const RUNNER_VERSION = '1.1.0';
