import type { DirectorTag } from '../director-cues/director-tags.ts';
import { guessLanguage } from './guess-language.ts';
import { SentenceSplitter } from './sentence-splitter.ts';
import { speakable } from './speakable.ts';
import { withoutStageDirections } from './stage-directions.ts';
import { CueStripper } from './strip-cues.ts';
import { MarkupStripper } from './strip-markup.ts';
import { OwnNameStripper } from './strip-own-name.ts';
import { ReasoningStripper } from './strip-reasoning.ts';
import { RepetitionStripper } from './strip-repetition.ts';
import { joint } from './words.ts';

/** Processes a model's tokens on their way to the voice: removes reasoning, markup and cues, and cuts segments. */
export type ReplyTextOutput =
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'segment';
      /** Plain text for the synthesizer, trimmed, never empty. */
      readonly text: string;
      /** What joins it to the segment before it: a space or nothing. */
      readonly lead: '' | ' ';
      /** Cues inside it, by offset into `text` (0 = at its start). */
      readonly cues: readonly { readonly tag: DirectorTag; readonly offset: number }[];
      /** The model says it itself: it belongs to what is said already, and may be empty. */
      readonly spoken?: true;
    }
  /** The segments so far were reasoning: drop what is not spoken yet and forget the rest. */
  | { readonly kind: 'retract' };

/** How much more may be said. */
export interface Room {
  readonly characters: number;
  readonly segments: number;
}

export interface ReplyTextOptions {
  /** ISO 639-1. Null: guessed from the words. */
  readonly language: string | null;
  /** Let the first segment end at a comma, to speak sooner. @defaultValue true */
  readonly shortFirst?: boolean;
  /** This model closes reasoning that it never opens: hold its words until then. @defaultValue false */
  readonly expectClosing?: boolean;
  /** The last words already said in this message, so that the first segment joins them. @defaultValue '' */
  readonly after?: string;
  /** What was said of an answer of which this is the rest: it is not said again. @defaultValue '' */
  readonly said?: string;
  /** What the model may call itself: such a name before its answer is not said. @defaultValue none */
  readonly ownNames?: readonly string[];
  /** Text beyond this is dropped, see `isFull`. @defaultValue no limit */
  readonly room?: Room;
}

/** Cues inside one segment; only the last one is acted. */
const MAX_CUES = 8;

export class ReplyText {
  readonly #options: ReplyTextOptions;
  readonly #reasoning: ReasoningStripper;
  #markup = new MarkupStripper();
  #cues = new CueStripper();
  #ownName: OwnNameStripper;
  #repetition: RepetitionStripper;
  #splitter: SentenceSplitter;
  #before: string;
  #left: Room;
  /** Cues met in the piece that is still being collected, by offset into it. */
  #waiting: { tag: DirectorTag; offset: number }[] = [];
  #collected = 0;
  #spoken = false;

  constructor(options: ReplyTextOptions) {
    this.#options = options;
    this.#reasoning = new ReasoningStripper({ expectClosing: options.expectClosing });
    this.#ownName = new OwnNameStripper(options.ownNames ?? []);
    this.#repetition = new RepetitionStripper(options.said ?? '');
    this.#splitter = new SentenceSplitter({ language: options.language, shortFirst: options.shortFirst });
    this.#before = options.after ?? '';
    this.#left = roomIn(options);
  }

  /** Nothing more of it will be spoken. */
  get isFull(): boolean {
    return this.#left.characters <= 0 || this.#left.segments <= 0;
  }

  push(token: string): ReplyTextOutput[] {
    return this.#reasoning.push(token).flatMap((part) => this.#route(part));
  }

  /** As `push`, of what the model says itself: words do not wait for the end of their sentence. */
  spoken(token: string): ReplyTextOutput[] {
    this.#spoken = true;
    if (token === '') return [{ kind: 'segment', text: '', lead: '', cues: [], spoken: true }];
    return [...this.push(token), ...this.#splitter.words().flatMap((piece) => this.#segment(piece))];
  }

  /** The stream has paused, or was cut off: sentences that seem complete are spoken and do not wait for more text. */
  settle(isCut = false): ReplyTextOutput[] {
    return this.#splitter.settle(isCut).flatMap((piece) => this.#segment(piece));
  }

  end(): ReplyTextOutput[] {
    const outputs = this.#reasoning.end().flatMap((part) => this.#route(part));
    outputs.push(...this.#cut(this.#cues.push(this.#markup.end())), ...this.#cut(this.#cues.end()));
    outputs.push(...this.#split(this.#repetition.push(this.#ownName.end()) + this.#repetition.end()));
    return [...outputs, ...this.#splitter.end().flatMap((piece) => this.#segment(piece))];
  }

  #route(part: { kind: 'speech' | 'reasoning'; text: string } | { kind: 'retract' }): ReplyTextOutput[] {
    if (part.kind === 'reasoning') return [{ kind: 'reasoning', text: part.text }];
    if (part.kind === 'speech') return this.#cut(this.#cues.push(this.#markup.push(part.text)));
    this.#markup = new MarkupStripper();
    this.#cues = new CueStripper();
    this.#ownName = new OwnNameStripper(this.#options.ownNames ?? []);
    this.#repetition = new RepetitionStripper(this.#options.said ?? '');
    this.#splitter = new SentenceSplitter({ language: this.#options.language, shortFirst: this.#options.shortFirst });
    this.#before = this.#options.after ?? '';
    this.#left = roomIn(this.#options);
    this.#waiting = [];
    this.#collected = 0;
    return [{ kind: 'retract' }];
  }

  #cut(parts: ReturnType<CueStripper['push']>): ReplyTextOutput[] {
    return parts.flatMap((part) => {
      if (this.isFull) return [];
      if (part.kind === 'cue') {
        this.#await(part.tag);
        return [];
      }
      return this.#split(this.#repetition.push(this.#ownName.push(part.text)));
    });
  }

  #split(text: string): ReplyTextOutput[] {
    this.#collected += text.length;
    return this.#splitter.push(text).flatMap((piece) => this.#segment(piece));
  }

  /** If several cues have the same place, the last one counts. */
  #await(tag: DirectorTag): void {
    if (this.#waiting.at(-1)?.offset === this.#collected) this.#waiting.pop();
    this.#waiting.push({ tag, offset: this.#collected });
  }

  #said(piece: string): string {
    const language = this.#options.language ?? (/[*_(]/.test(piece) ? guessLanguage(piece) : null);
    return speakable(withoutStageDirections(piece, language));
  }

  #segment(piece: string): ReplyTextOutput[] {
    if (this.isFull) return [];
    const inside = this.#waiting.filter((cue) => cue.offset < piece.length).slice(-MAX_CUES);
    this.#waiting = this.#waiting
      .filter((cue) => cue.offset >= piece.length)
      .map((cue) => ({ ...cue, offset: cue.offset - piece.length }));
    this.#collected -= piece.length;
    const text = this.#said(piece);
    if (text === '') {
      // Nothing to say here (an emoji, a rule): its last cue applies to what comes next.
      const last = inside.at(-1);
      if (last !== undefined) this.#waiting.unshift({ ...last, offset: 0 });
      return [];
    }
    const lead = joint(this.#before.trimEnd(), text);
    this.#before = text;
    const { characters, segments } = this.#left;
    this.#left = { characters: characters - text.length, segments: this.#spoken ? segments : segments - 1 };
    // Markup may have shortened the text before the cue, so its place is limited to the text's length.
    return [
      {
        kind: 'segment',
        text,
        lead,
        cues: inside.map((cue) => ({
          tag: cue.tag,
          offset: Math.min(this.#said(piece.slice(0, cue.offset)).length, text.length),
        })),
        ...(this.#spoken && { spoken: true as const }),
      },
    ];
  }
}

function roomIn(options: ReplyTextOptions): Room {
  return options.room ?? { characters: Infinity, segments: Infinity };
}
