import { USUAL_AUDIO_LAG_MS } from '../floor/heard-silence.ts';

/**
 * Who of a meeting said something. Words come from the mix of all participants, and when each of their tracks was loud
 * comes from the meeting's page, on another way: the two may be 200 ms apart.
 */

/** Times are ms on the session's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A participant's track was loud. `to` is `Infinity` while it is. */
export interface LoudSpan extends Span {
  readonly id: string;
}

/** A track that became quiet is told this much later: pauses between words are no end (contract with the page). */
const HANGOVER_MS = 300;
/** How far the page's word and the sound may be apart: two networks, a jitter buffer, a busy page. */
const SKEW_MS = 200;
/** Who spoke for most of the time has said it. */
const MAIN_SHARE = 0.5;
/** Another one has said it too with this much of it: more than a "yeah" in between … */
const OTHER_SHARE = 0.3;
/** … and more than what a skew of both ends can feign. */
const OTHER_MS = 2 * SKEW_MS + 100;
/**
 * Where no track was loud when the voice was heard, the page's word was later than that: a starved page told of the second
 * half of a sentence seconds after it. Then it was whoever spoke so shortly before or after it, if only one did.
 */
const LATE_WORD_MS = 3_000;
/** A track that is loud for so long without a pause is a fan or music: nobody speaks for half a minute in one breath. */
const STEADY_MS = 30_000;
/** Ten people who all begin and stop every second make that many in ten seconds; an utterance is seldom longer. */
const KEPT_SPANS = 200;

/**
 * The page's word comes from the browser whose sound is heard. On a busy machine both are late together: in 24 sentences the
 * word came up to 1.5 s after the sound of that time was spoken, and within 50 ms of that sound in 22 of them. Where no sound
 * has come for so long, none tells how late the page is.
 */
const MAX_LATE_MS = 2_000;

/** @param now when the page's word came. @param heardUntil end of the newest sound. @returns when it was true. */
export function wordWasTrueAt(now: number, heardUntil: number): number {
  const inTime = heardUntil + USUAL_AUDIO_LAG_MS;
  return now - inTime > MAX_LATE_MS ? now : Math.min(now, inTime);
}

/** Takes a `meeting.speaking`. @returns the spans, oldest first; the oldest ones are forgotten. */
export function noteSpeaking(
  spans: readonly LoudSpan[],
  id: string,
  speaking: boolean,
  at: number,
): readonly LoudSpan[] {
  const open = spans.findLastIndex((span) => span.id === id && span.to === Infinity);
  if (speaking) return open === -1 ? [...spans, { id, from: at, to: Infinity }].slice(-KEPT_SPANS) : spans;
  return spans.map((span, index) => (index === open ? { ...span, to: Math.max(span.from, at - HANGOVER_MS) } : span));
}

/** Somebody has left: a track that is gone tells no end. */
export function endSpeaking(spans: readonly LoudSpan[], id: string, at: number): readonly LoudSpan[] {
  return spans.map((span) => (span.id === id && span.to === Infinity ? { ...span, to: at } : span));
}

/**
 * @param voice when there was a voice in the mix, as the VAD heard it. @param now end of spans that are still loud.
 * @returns the ids of those who spoke for most of it, in the order in which they began; empty: nobody knows.
 */
export function whoSpoke(spans: readonly LoudSpan[], voice: readonly Span[], now: number): readonly string[] {
  const total = lengthOf(voice);
  if (total <= 0) return [];
  const around = [{ from: voice[0]!.from - LATE_WORD_MS, to: voice.at(-1)!.to + LATE_WORD_MS }];
  const ids = [...new Set(spans.map(({ id }) => id))];
  const heard = ids.map((id) => {
    const own = spans.filter((span) => span.id === id).map(({ from, to }) => ({ from, to: Math.min(to, now) }));
    const wide = own.map(({ from, to }) => ({ from: from - SKEW_MS, to: to + SKEW_MS }));
    const exactMs = overlap(own, voice);
    const isSteady = own.some((span) => span.to - span.from > STEADY_MS && overlap([span], voice) > 0);
    const [share, shareAround] = [overlap(wide, voice) / total, overlap(own, around) / total];
    return { id, exactMs, share, shareAround, began: firstIn(wide, voice), isSteady };
  });
  const voices = namedOf(
    heard.filter(({ isSteady }) => !isSteady),
    total,
  );
  if (voices.length > 0) return voices;
  const named = namedOf(heard, total);
  if (named.length > 0) return named;
  const late = heard.filter(({ shareAround }) => shareAround >= MAIN_SHARE);
  return late.length === 1 ? late.map(({ id }) => id) : [];
}

interface Heard {
  readonly id: string;
  readonly exactMs: number;
  readonly share: number;
  readonly began: number;
}

/** Who of them spoke for enough of the time. */
function namedOf(heard: readonly Heard[], total: number): readonly string[] {
  const [main] = heard.toSorted((one, other) => other.share - one.share || other.exactMs - one.exactMs);
  const spoke = heard.filter(
    (one) =>
      (one === main && one.share >= MAIN_SHARE) || (one.exactMs >= OTHER_MS && one.exactMs / total >= OTHER_SHARE),
  );
  return spoke.toSorted((one, other) => one.began - other.began).map(({ id }) => id);
}

/** @param spans of one person: they do not overlap, but for what the skew has widened. */
function overlap(spans: readonly Span[], voice: readonly Span[]): number {
  let ms = 0;
  for (const part of voice) {
    let counted = part.from;
    for (const { from, to } of spans) {
      const begin = Math.max(from, counted);
      const end = Math.min(to, part.to);
      if (end <= begin) continue;
      ms += end - begin;
      counted = end;
    }
  }
  return ms;
}

function firstIn(spans: readonly Span[], voice: readonly Span[]): number {
  const times = voice.flatMap((part) =>
    spans.filter(({ from, to }) => from < part.to && to > part.from).map(({ from }) => from),
  );
  return Math.min(...times);
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}
