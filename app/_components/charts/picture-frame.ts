// Apart from the axes, which bring recharts along: a page loads that once it is idle.
import type { Drawing } from './plot-view';

/** Pixels around the plot's area: the picture and the columns over it must agree on them. */
export interface PlotArea {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const AXIS_TEXT = {
  fill: 'var(--text-3)',
  fontSize: 12,
  style: { fontVariantNumeric: 'tabular-nums' },
} as const;

/** Pixels between a label of the vertical axis and the area. */
export const TICK_GAP = 8;

const MIN_LEFT = 32;

/** Returns the space around a drawing: as wide at the left as its longest label needs. */
export function areaOf(drawing: Drawing): PlotArea {
  const widest = Math.max(...drawing.ticks.map((tick) => textWidth(tick.label)), 0);
  return {
    left: Math.max(MIN_LEFT, Math.ceil(widest) + TICK_GAP + 2),
    right: 8,
    top: 16,
    bottom: 24,
  };
}

const WIDE = /[%mwMW@]/;
const NARROW = /[.,:;'| ]/;

/** Returns the maximum width of an axis label in pixels: 12 px text in the widest fallback font. */
export function textWidth(text: string): number {
  return [...text].reduce(
    (sum, char) => sum + (WIDE.test(char) ? 11.5 : NARROW.test(char) ? 4 : 8),
    0,
  );
}
