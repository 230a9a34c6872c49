/**
 * A process that `npm start` runs ends with it. The start loads this into each of them beforehand;
 * calling it again is harmless, and says so where it matters.
 */
export { exitWhenParentGone } from '@/scripts/bootstrap/lifeline.mjs';
