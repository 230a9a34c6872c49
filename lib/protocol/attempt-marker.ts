/** The variable in the environment of every process of an attempt, by which they are recognized. */
export const MARKER_VARIABLE = 'TIERWATCH_ATTEMPT';
