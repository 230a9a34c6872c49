/**
 * Phrases that read as translated, personified or vague, with what to write instead.
 *
 * - `everywhere`: texts, docs, prompts and comments.
 * - `shown`: texts that people see (strings, JSX, docs, prompts). In comments and code these words
 *   can be right.
 * - `label`: a whole string, such as a heading or the label of a field.
 */
export interface VoiceRule {
  /** In lowercase, except for labels. */
  phrase: RegExp;
  instead: string;
  in: 'everywhere' | 'shown' | 'label';
}

const everywhere = (phrase: RegExp, instead: string): VoiceRule => ({
  phrase,
  instead,
  in: 'everywhere',
});
const shown = (phrase: RegExp, instead: string): VoiceRule => ({
  phrase,
  instead,
  in: 'shown',
});
const label = (text: string, instead: string): VoiceRule => ({
  phrase: new RegExp(`^${text.replaceAll('.', '\\.')}$`),
  instead,
  in: 'label',
});

/** Word-for-word syntax of another language. */
const SYNTAX: readonly VoiceRule[] = [
  everywhere(/\bby hand\b/, 'manual, manually'),
  everywhere(/\bbesides(?=[.,;:)]|$)/, 'as well, in addition'),
  everywhere(/\bof it est\b/, 'estimated'),
  everywhere(/\bmade of it\b/, 'derived from it'),
  everywhere(/\bin force\b/, 'active, current, that applies'),
  everywhere(/\bin mid \w+/, 'while running, while waiting'),
  everywhere(/\b(?:goes|went) on\b/, 'continues, continued'),
  everywhere(/\bany more\b/, 'no longer, anymore'),
  everywhere(/\banew\b/, 'again'),
  everywhere(/\bwhat (?:came|comes) of\b/, 'outcome, result'),
  everywhere(/\bmakes? (?:it|them) whole\b|\bmade whole\b/, 'repairs, restores, repaired'),
  everywhere(/\bends by itself\b/, 'expires, ends automatically'),
  everywhere(/\b(?:gets?|got) to read\b/, 'reads, is given'),
  everywhere(/\bmakes? room for\b|\bmakes? room[.;]/, 'is removed, is evicted'),
  everywhere(/\bmade up for\b/, 'run afterwards'),
  everywhere(/\bwhat not[."']/, 'what it leaves out'),
  everywhere(/\bnothing of the (?:configuration|session|chain)\b/, 'no … of the'),
  everywhere(/\bin whatever way\b/, 'in any way, however'),
  everywhere(/\bthis very\b/, 'this'),
  everywhere(/\bis spoken for by\b/, 'is represented by; say what is used'),
  everywhere(/\bnothing unsaid\b/, 'deny by default'),
  everywhere(/\bas for one that never was\b/, "as if it didn't exist"),
  everywhere(/\bone that the server keeps\b/, 'stored on the server'),
  everywhere(
    /\bis no (?:part of|rule|file\b|port\b|address of|member)/,
    'is not a, is not part of',
  ),
  everywhere(/\bby a \w+ of its own\b/, 'by its own'),
  everywhere(/\bwhere (?:that is wrong|none is named)\b/, 'when that is not possible'),
  everywhere(/\bshown this once\b/, 'shown only once'),
  everywhere(/\balso (?:those still|while nothing)\b/, 'including, even when'),
  everywhere(/\bleft empty,/, 'Leave empty to'),
  everywhere(/\bfrom the next \w+ on[.;]/, 'applies after the next'),
  everywhere(/\brounded nowhere\b/, 'not rounded'),
  everywhere(/\bbeyond it \d+/, 'above that limit'),
  everywhere(/\bmeans nothing[.;"')]/, 'is unknown, has no effect'),
  everywhere(/\bfrom the first byte\b/, 'implicit TLS'),
  everywhere(/\bwith any \w+ but\b/, 'with any … except'),
  shown(/\bfor this address alone\b/, 'only for this address'),
  shown(/\bhost alone\b/, 'only on the host'),
  shown(/\bof yours\b/, 'your'),
  shown(/\bby itself\b/, 'automatically, on its own'),
  shown(/\bsays? (?:it itself|the same|already)\b/, 'is identical, already'),
];

/** Things that speak, want, hear or die. */
const PERSONS: readonly VoiceRule[] = [
  everywhere(/\b(?:is|are|was|were|been) told of\b/, 'is notified of, is reported'),
  everywhere(/\bha(?:s|ve) told of\b/, 'has reported'),
  everywhere(/\bnobody is told\b/, 'nobody is notified'),
  everywhere(/\b(?:hears?|heard) of\b/, 'is subscribed to, is notified of, connected'),
  everywhere(/\bhear about it\b/, 'notifications'),
  everywhere(/\b(?:webhook|channel|endpoint|budget)s? want(?:s|ed)\b/, 'is subscribed to'),
  everywhere(/\b(?:takes?|take) what (?:it is|they are) sent\b/, 'deliveries succeed'),
  everywhere(/\btakes? turns\b/, 'one at a time'),
  everywhere(/\bdoorbells?\b/, 'wake-up job, notification'),
  everywhere(/\b(?:rings again|only rings)\b/, 're-enqueues, wake-up signal'),
  everywhere(/\bis the truth\b|\| the truth \||\(the truth\)/, 'is the source of truth'),
  everywhere(/\bseat ?belt\b/, 'safety net'),
  everywhere(/\bmend(?:s|ed|ing)?\b/, 'fix, repair'),
  everywhere(
    /\b(?:is|are) dead\b(?=[.;,]? ?(?:at once|from now|$))|\bthe one before is dead\b/,
    'stops working',
  ),
  everywhere(/\bkills the one before\b/, 'the previous link stops working'),
  everywhere(/\bunder one roof\b/, 'in one process group'),
  everywhere(/\bfalls? silent\b/, 'stops responding'),
  everywhere(/\b(?:without a|its first) word[.;]/, 'without a result, first heartbeat'),
  everywhere(/\b(?:is|are) worth nothing\b/, 'stops working'),
  everywhere(/\bended itself\b/, 'exited'),
  everywhere(/\bspeaks? https\b/, 'HTTPS reverse proxy'),
  everywhere(/\bbudget\b[^.]{0,30}\blies\b/, 'is'),
  shown(/\bin hand\b/, 'running, acknowledged'),
  shown(/\bwish(?:es|ed)?\b/, 'request'),
  shown(/\brest while you\b/, 'are off while you'),
  shown(/\btakes? nothing new\b/, 'claims no new work'),
  shown(/\bdo(?:es)? not take\b/, 'does not accept'),
  shown(/'(?:wants|needs) (?:a|an|the|names|seconds|at)\b/, 'must be'),
];

/** Standard terms of the field, and one noun for each concept. */
const TERMS: readonly VoiceRule[] = [
  everywhere(/\bhalf within\b|\b95 ?% within\b/, 'p50, p95'),
  everywhere(/\bpresent (?:password|secret)\b/, 'current'),
  everywhere(/\bsilent for\b(?! (?:longer|the|as|a)\b)/, 'stall timeout'),
  everywhere(/\bways? out\b/, 'transport, fix, alternative'),
  everywhere(/\bwith every right\b/, 'with full privileges'),
  everywhere(/\bcan be driven\b/, 'is available'),
  everywhere(/\bevery cent\b|\bcent and decision\b/, 'cost'),
  everywhere(/\bthirty more cases\b/, 'a list or a link'),
  everywhere(/\bleads? nowhere\b/, 'no longer works'),
  everywhere(/\bclean record\b/, 'resets its failures'),
  everywhere(
    /\b(?:signature|version|action|address) (?:does not|doesn't) fit\b|\bnobody fits\b/,
    'does not match',
  ),
  everywhere(/\bmake the secrets\b/, 'create, generate'),
  everywhere(/\btries are limited\b/, 'login attempts are rate-limited'),
  everywhere(/\bwhat goes wrong is\b/, 'errors are'),
  everywhere(/\bless for a while\b/, 'pausing, snoozing and maintenance windows'),
  everywhere(
    /\bno part of a version\b|\ball rests\b|\bcosts follow\b|\bin no sum\b/,
    'say it plainly',
  ),
  everywhere(/\bescalate[sd]? nothing\b/, "doesn't escalate, did not escalate"),
  everywhere(/\bas it came\b/, 'unmodified'),
  everywhere(/\bnet of the\b/, 'excluding'),
  everywhere(/\boffered(?: to the agent)? at all\b/, 'tools the agent can see'),
  everywhere(/\bbeen noted\b/, 'no events yet, recorded'),
  everywhere(/\bsee its facts\b/, 'see its details'),
  everywhere(/\bcould have changed anything\b/, 'state-changing'),
  everywhere(/\bwere asked\b/, 'evaluation order, were evaluated'),
  everywhere(/\bwithout a finding\b/, 'found no problems'),
  everywhere(/\ba way you choose\b|\beverything there is\b|\bscopes and an end\b/, 'say which'),
  everywhere(/\bsees who is a member\b/, 'a role matrix'),
  everywhere(/\bprefer a tested one\b/, 'may work; prefer a tested version'),
  shown(/(?<=[a-z])(?<!jsonb|http)\(s\)/, 'formatCounted'),
  everywhere(/\bdry run[.:]? with|\brun with dry run\b/, 'Dry run'),
  everywhere(/\bwork of pool\b/, 'in pool, for this installation'),
  everywhere(/\bhas asked about\b/, 'no questions about'),
  everywhere(/\byou have an account\?/, 'Already have an account?'),
  everywhere(/\brefused always\b/, 'always denied'),
  shown(/\blimits? (?:stands?|lies?)\b|\b(?:stands?|lies) (?:in|under|above|below) the\b/, 'is in'),
  shown(/(?<!monitoring )\bcycles?\b/, 'chain'),
  shown(/\b(?:five|next|last|previous) runs\b|\binside a run\b|\bper run\b/, 'chains'),
  shown(/\b(?:stall limit)\b/, 'stall timeout'),
  shown(
    /\bnot authorised\b|\benrol(?:s|ment)?\b(?= (?:the|a|this|one|token\b))/,
    'American spelling',
  ),
];

/** Headings, labels and buttons. */
const LABELS: readonly VoiceRule[] = [
  label('Called', 'Name'),
  label('Span', 'Custom range'),
  label('Over time', 'Trends'),
  label('From tier to tier', 'Escalations'),
  label('Every guard', 'All checks'),
  label('Silent for', 'Stall timeout'),
  label('Starts as', 'Command preview'),
  label('What was found out', 'Investigation'),
  label('What was tried', 'Remediation attempted'),
  label('As handed in', 'Raw report (JSON)'),
  label('Not asked for.', 'None requested'),
  label('Besides', 'Other events'),
  label('Begun by', 'Started by'),
  label('To check', 'Warnings'),
  label('Leads to', 'Target'),
  label('Made', 'Created'),
  label('Trouble', 'Problem'),
  label('What it may do', 'Permissions'),
];

export const VOICE_RULES: readonly VoiceRule[] = [...SYNTAX, ...PERSONS, ...TERMS, ...LABELS];
