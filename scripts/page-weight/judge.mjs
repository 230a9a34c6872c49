import { CHARTS_KB, FONTS_KB, KINDS, NEXT_RUNTIME_KB, SHARED_KB, STYLES_KB } from './limits.mjs';

/**
 * @typedef {object} Verdict
 * @property {string} what
 * @property {number} kb
 * @property {number} limitKb
 * @property {boolean} isWithin
 */

/**
 * Each figure of a build against its limit.
 * @param {import('./weigh.mjs').Weights} weights
 * @returns {Verdict[]}
 */
export function judge(weights) {
  return [
    found('Scripts that all pages share', weights.shared, SHARED_KB),
    found('Next’s own runtime', weights.nextRuntime, NEXT_RUNTIME_KB),
    ...weights.routes.map(({ route, own }) => {
      const { kind, limitKb } = kindOf(route);
      return verdict(`Scripts of ${route} (${kind})`, own, limitKb);
    }),
    found('Pictures of the plots', weights.charts, CHARTS_KB),
    found('Styles', weights.styles, STYLES_KB),
    found('Fonts', weights.fonts, FONTS_KB),
  ];
}

export function kindOf(route) {
  const kind = KINDS.find(({ routes }) => routes.test(route));
  if (!kind) throw new Error(`No kind of page fits ${route}.`);
  return kind;
}

/** `Styles: 31.2 kB, and the limit is 25 kB.` */
export function verdictText({ what, kb, limitKb, isWithin }) {
  if (kb === 0 && !isWithin) return `${what}: nothing was found to weigh.`;
  return `${what}: ${kb} kB, and the limit is ${limitKb} kB.`;
}

/** A weight of zero means that the build looks otherwise than we think, which is no good news. */
function found(what, bytes, limitKb) {
  const one = verdict(what, bytes, limitKb);
  return { ...one, isWithin: one.isWithin && bytes > 0 };
}

function verdict(what, bytes, limitKb) {
  return { what, kb: Math.round(bytes / 100) / 10, limitKb, isWithin: bytes <= limitKb * 1_000 };
}
