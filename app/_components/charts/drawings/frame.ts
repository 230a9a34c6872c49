// Apart from the axes, which bring recharts along: a page loads that once it is idle.

/** Pixels around the plot's area: the picture and the columns over it must agree on them. */
export const AREA = { left: 44, right: 8, top: 12, bottom: 24 } as const;

export const AXIS_TEXT = {
  fill: 'var(--text-3)',
  fontSize: 12,
  style: { fontVariantNumeric: 'tabular-nums' },
} as const;
