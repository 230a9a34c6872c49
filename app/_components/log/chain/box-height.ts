const LEAST_PX = 208;
/** The foot of the log, and a margin below it. */
const BELOW_PX = 60;
/** The bar of the application, the head and the foot of the log. */
const AROUND_PX = 176;

/**
 * Returns the height of a followed log in pixels: down to the bottom of the window, so that the
 * newest line is on the first screen. Where there is too little left below `top`, the reader has to
 * scroll to the log anyway, and it fills the window.
 *
 * @param top distance from the top of the page, in pixels
 */
export function boxHeight(windowHeight: number, top: number): number {
  const left = windowHeight - top - BELOW_PX;
  return left >= LEAST_PX ? left : Math.max(LEAST_PX, windowHeight - AROUND_PX);
}
