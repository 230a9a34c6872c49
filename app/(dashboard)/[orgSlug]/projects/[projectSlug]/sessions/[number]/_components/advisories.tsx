import type { Advisory } from '@/lib/engine/continuation/schema';

const SENTENCES: Record<Advisory, string> = {
  STALE_FACTS: 'What the conversation says is more than 15 min old.',
  MODEL_CHANGED: 'Another model continues it.',
  MODEL_EDGE_UNPROVEN: 'That these two models continue each other has not been shown.',
  CACHE_COLD: 'The provider no longer holds it in its cache, so all of it is paid for again.',
};

/** What a decision noted without being decided by it. */
export function Advisories({ facts }: { facts: Record<string, unknown> }) {
  const given = Array.isArray(facts.advisories) ? facts.advisories : [];
  const known = given.filter((code): code is Advisory => Object.hasOwn(SENTENCES, String(code)));
  if (known.length === 0) return null;
  return (
    <ul aria-label="Noted" className="flex flex-col gap-0.5 text-text-2 text-ui">
      {known.map((code) => (
        <li key={code}>
          {SENTENCES[code]} <code className="text-meta text-text-3">{code}</code>
        </li>
      ))}
    </ul>
  );
}
