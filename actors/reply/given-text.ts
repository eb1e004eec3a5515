import type { TalkPiece } from '../talk-stream/talk-queue.ts';
import type { ReplyText, ReplyTextOutput } from '../text/reply-text.ts';
import type { Segment } from './persona-message.ts';

/** Text of a talk stream that was not yet cut into sentences. Plain data. */
export interface GivenText {
  readonly pieces: readonly TalkPiece[];
  /** Utterance of the last cut piece; null if utterances are not used. */
  readonly utteranceId: string | null;
}

export const NO_TEXT: GivenText = { pieces: [], utteranceId: null };

/** UTF-16 units that are cut at a time: a few sentences, in less than a millisecond. */
const SLICE = 256;
/**
 * How many slices are searched for something to say at a time. Otherwise a long text of emoji would delay all
 * sessions.
 */
const MAX_SLICES = 16;

/**
 * Takes the next sentences from the text. A client may give hours of text at once, so it is cut only as it is spoken.
 * @param enough number of sentences to return, if there are as many.
 */
export function nextSegments(
  given: GivenText,
  text: ReplyText,
  enough: number,
  newId: () => string,
): { readonly given: GivenText; readonly segments: readonly Segment[] } {
  const segments: Segment[] = [];
  const pieces = [...given.pieces];
  let { utteranceId } = given;
  for (let slices = 0; slices < MAX_SLICES && segments.length < enough; slices += 1) {
    const piece = pieces.shift();
    if (piece === undefined) break;
    // An utterance ends where the next one begins, also in the middle of a sentence.
    if (piece.startsUtterance) segments.push(...segmentsOf(text.end(), utteranceId, newId));
    utteranceId = piece.utteranceId;
    segments.push(...segmentsOf(text.push(piece.text.slice(0, SLICE)), utteranceId, newId));
    if (piece.text.length > SLICE) pieces.unshift({ ...piece, text: piece.text.slice(SLICE), startsUtterance: false });
  }
  return { given: { pieces, utteranceId }, segments };
}

export function segmentsOf(
  outputs: readonly ReplyTextOutput[],
  utteranceId: string | null,
  newId: () => string,
): Segment[] {
  return outputs.flatMap((output) =>
    output.kind === 'segment'
      ? [
          {
            segmentId: newId(),
            text: output.text,
            lead: output.lead,
            step: 0,
            utteranceId,
            cue: output.cues.at(-1)?.tag ?? null,
          },
        ]
      : [],
  );
}
