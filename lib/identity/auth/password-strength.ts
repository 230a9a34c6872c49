import { InvalidError } from '@/lib/platform/errors';

/** 0 to 4, by how many guesses a password takes. From 3 on, a fast guess at a stolen hash takes days. */
const MIN_SCORE = 3;

/** Loaded when first needed, since its dictionaries take a third of a second and 40 MB. */
let estimator: Promise<Awaited<ReturnType<typeof loadEstimator>>> | undefined;

async function loadEstimator() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const { translations } = english;
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: {
      ...translations,
      warnings: {
        ...translations.warnings,
        userInputs: 'It consists mostly of your name, your address or the product’s name.',
      },
    },
  });
}

/**
 * Refuses a new password that is easy to guess, with the estimator's reason.
 *
 * @param personal what an attacker who knows the person tries first: name, e-mail address
 * @throws InvalidError at `field`
 */
export async function refuseWeakPassword(
  field: 'password' | 'newPassword',
  password: string,
  personal: readonly string[],
): Promise<void> {
  estimator ??= loadEstimator();
  const words = personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const known = ['tierwatch', ...words.filter((word) => word.length > 2)];
  const { score, feedback } = (await estimator).check(password, known);
  if (score >= MIN_SCORE) return;
  const { warning, suggestions } = feedback;
  const reason = [warning, ...suggestions].filter(Boolean).join(' ');
  const message = `This password is easy to guess. ${reason || 'Use a longer one, such as four unrelated words.'}`;
  throw new InvalidError(message, { [field]: message });
}
