/**
 * Keeps a model's thinking out of what the persona says. Models mark it with tags (`<think>…</think>`), with bracketed
 * tags, or with channels (`<|channel|>analysis<|message|>…`); some forget the end, and some only write the end because
 * their template wrote the beginning. Works on a stream: a suffix that could still become a mark is held back, so the
 * result does not depend on where the stream was cut into chunks.
 */

export type ReasoningPart =
  | { readonly kind: 'speech'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A closing mark without an opening one: all speech so far was reasoning after all. Take it back. */
  | { readonly kind: 'retract' };

const NAMES =
  'think|thinking|thought|thoughts|reason|reasoning|reflection|analysis|scratchpad|seed:think|commentary|thought_process|' +
  'monologue|inner_monologue|internal_monologue|inner_thoughts|chain_of_thought';
const OPEN = new RegExp(
  `^(?:<(?:${NAMES})(?:\\s[^<>]{0,64})?>|\\[think\\]|\\u25c1think\\u25b7|<\\|(?:start_)?think(?:ing)?\\|>|<\\|channel>\\s?thought)`,
  'i',
);
const CLOSE = new RegExp(
  `^(?:</(?:${NAMES})\\s{0,4}>|\\[/think\\]|\\u25c1/think\\u25b7|<\\|(?:end_|/)think(?:ing)?\\|>|<channel\\|>)`,
  'i',
);
/** Marks of turns and channels: `<|channel|>`, `<|message|>`, `<|im_end|>`, `<\uff5cend\u2581of\u2581sentence\uff5c>`, … */
const CHANNEL = /^<[|\uff5c]([\p{L}\d_\u2581]{1,32})[|\uff5c]>/u;
/** Of `CHANNEL`: after these, nobody speaks any more. */
const END_OF_TEXT = /^(?:endoftext|end_of_text|end_of_sentence)$/;
/** The same, of models that write them in other signs. */
const TURN = /^(?:<(start_of_turn|end_of_turn|eos|bos)>|\[\/?(inst)\])/i;
const TURN_MARKS = ['<start_of_turn>', '<end_of_turn>', '<eos>', '<bos>', '<channel|>', '[inst]', '[/inst]'];
/** Whose words may be said: of anybody else, the model has made them up. */
const OWN_CHANNEL = /^\s*(?:assistant|model|final|answer|response)?\s*$/i;
/** Longest text after '<', '[' or '◁' that can still turn into a mark. */
const MAX_MARK_LENGTH = 96;
/**
 * After this many UTF-16 units, a model that closes reasoning without opening it has still not closed it. Its words are
 * reasoning, since as speech they would take 10 minutes.
 */
const MAX_UNCLOSED_LENGTH = 8 * 1024;
const UNFINISHED_TAG = new RegExp(`^</?(?:${NAMES})\\s[^<>]*$`);
const MARK_START = /[<[\u25c1]/;
const BARE_ANALYSIS = /^analysis(?=[A-Z"'(])/;
const BARE_FINAL = 'assistantfinal';

/**
 * Where the next text goes. 'header' is the part between a channel's name and its message; 'header-line' the same where
 * it ends with the line.
 */
type Place = 'start' | 'speech' | 'reasoning' | 'header' | 'header-line' | 'bare-analysis';

export class ReasoningStripper {
  #held = '';
  #place: Place;
  #channel = '';
  #spoke = false;
  #marked = false;
  #trimNext = true;
  readonly #expectClosing: boolean;

  /** @param options.expectClosing the model's template opens the reasoning: hold everything until it is closed. */
  constructor(options: { readonly expectClosing?: boolean } = {}) {
    this.#expectClosing = options.expectClosing ?? false;
    this.#place = 'start';
  }

  push(chunk: string): ReasoningPart[] {
    this.#held += chunk;
    return this.#drain(false);
  }

  /** The stream is over: the text that was held back is decided. An unclosed block stays reasoning. */
  end(): ReasoningPart[] {
    const parts = this.#drain(true);
    // Text waited for a closing mark that never came: so it was speech.
    this.#releaseAs('speech', parts);
    return merged(parts);
  }

  #drain(ended: boolean): ReasoningPart[] {
    const parts: ReasoningPart[] = [];
    if (this.#place === 'start' && !this.#begin(ended)) return parts;
    while (this.#held !== '') {
      const at = this.#nextMark();
      if (at > 0) {
        this.#give(this.#held.slice(0, at), parts);
        this.#held = this.#held.slice(at);
        continue;
      }
      const taken = this.#takeMark(parts, ended);
      if (taken === 'wait') break;
      if (taken === 'text') {
        this.#give(this.#held.slice(0, 1), parts);
        this.#held = this.#held.slice(1);
      }
    }
    return merged(parts);
  }

  /** Decides whether the text begins with a channel name whose marks were lost. @returns false to wait for more. */
  #begin(ended: boolean): boolean {
    if (!ended && this.#held.length < 'analysis'.length + 1 && 'analysis'.startsWith(this.#held.slice(0, 8)))
      return false;
    const bare = BARE_ANALYSIS.exec(this.#held);
    if (bare === null) {
      this.#place = 'speech';
    } else {
      this.#held = this.#held.slice(bare[0].length);
      this.#place = 'bare-analysis';
    }
    return true;
  }

  /** Offset of the next character that may begin a mark; the whole length when there is none. */
  #nextMark(): number {
    const at = this.#held.search(
      this.#place === 'bare-analysis' ? /[<[\u25c1a]/ : this.#place === 'header-line' ? /[<[\u25c1\n]/ : MARK_START,
    );
    return at === -1 ? this.#held.length : at;
  }

  #takeMark(parts: ReasoningPart[], ended: boolean): 'taken' | 'wait' | 'text' {
    const held = this.#held;
    if (this.#place === 'bare-analysis' && BARE_FINAL.startsWith(held.slice(0, BARE_FINAL.length))) {
      if (held.length < BARE_FINAL.length) return ended ? 'text' : 'wait';
      this.#consume(BARE_FINAL.length, 'speech');
      return 'taken';
    }
    if (this.#place === 'header-line' && held.startsWith('\n')) {
      this.#consume(1, OWN_CHANNEL.test(this.#channel) ? 'speech' : 'reasoning');
      return 'taken';
    }
    const open = OPEN.exec(held);
    if (open !== null) {
      this.#marked = true;
      this.#consume(open[0].length, 'reasoning');
      return 'taken';
    }
    const close = CLOSE.exec(held);
    if (close !== null) {
      this.#close(close[0].length, parts);
      return 'taken';
    }
    const channel = CHANNEL.exec(held) ?? TURN.exec(held);
    if (channel !== null) {
      const mark = channel[1] ?? channel[2] ?? '';
      this.#enterChannel(mark.toLowerCase().replaceAll('\u2581', '_'), channel[0].length);
      return 'taken';
    }
    return !ended && couldBecomeMark(held) ? 'wait' : 'text';
  }

  #close(length: number, parts: ReasoningPart[]): void {
    if (this.#place === 'speech' && !this.#marked) {
      if (this.#expectClosing) this.#releaseAs('reasoning', parts);
      else if (this.#spoke) parts.push({ kind: 'retract' });
      this.#spoke = false;
    }
    this.#marked = true;
    this.#consume(length, 'speech');
  }

  #enterChannel(mark: string, length: number): void {
    this.#marked = true;
    if (mark === 'channel' || mark === 'start' || mark === 'start_header_id') {
      this.#channel = '';
      this.#consume(length, 'header');
    } else if (mark === 'im_start' || mark === 'start_of_turn') {
      this.#channel = '';
      this.#consume(length, 'header-line');
    } else if (mark === 'message' || mark === 'end_header_id') {
      this.#consume(length, this.#place !== 'header' || OWN_CHANNEL.test(this.#channel) ? 'speech' : 'reasoning');
    } else if (END_OF_TEXT.test(mark) && this.#spoke) {
      // What comes after it is another text, as those that the model has learned from.
      this.#consume(length, 'reasoning');
    } else if (mark === 'constrain') {
      this.#consume(length, this.#place);
    } else {
      this.#consume(length, 'speech');
    }
  }

  #consume(length: number, next: Place): void {
    this.#held = this.#held.slice(length);
    if (next === 'speech') this.#trimNext = true;
    this.#place = next;
  }

  /** With `expectClosing`, speech waits here until it is known to be speech. */
  #waiting = '';

  #give(text: string, parts: ReasoningPart[]): void {
    if (this.#place === 'header' || this.#place === 'header-line') {
      this.#channel = (this.#channel + text).slice(0, MAX_MARK_LENGTH);
      return;
    }
    if (this.#place === 'reasoning' || this.#place === 'bare-analysis') {
      parts.push({ kind: 'reasoning', text });
      return;
    }
    const speech = this.#trimNext ? text.trimStart() : text;
    if (speech === '') return;
    this.#trimNext = false;
    if (this.#expectClosing && !this.#marked) {
      this.#waiting += speech;
      if (this.#waiting.length <= MAX_UNCLOSED_LENGTH) return;
      this.#releaseAs('reasoning', parts);
      this.#place = 'reasoning';
      return;
    }
    this.#spoke = true;
    parts.push({ kind: 'speech', text: speech });
  }

  #releaseAs(kind: 'speech' | 'reasoning', parts: ReasoningPart[]): void {
    if (this.#waiting !== '') parts.push({ kind, text: this.#waiting });
    this.#waiting = '';
  }
}

/** Whether more characters could still make a mark of this text, which begins with a mark's first character. */
function couldBecomeMark(text: string): boolean {
  if (text.length > MAX_MARK_LENGTH) return false;
  const lower = text.toLowerCase();
  if (/^<[|\uff5c]/.test(lower))
    return /^<[|\uff5c](?:\/?[\p{L}\d_\u2581]{0,32}[|\uff5c]?|channel>\s?t?h?o?u?g?h?t?)$/u.test(lower);
  if (TURN_MARKS.some((mark) => mark.startsWith(lower))) return true;
  if (lower.startsWith('<')) {
    const name = /^<\/?([a-z:_]*)$/.exec(lower);
    if (name !== null) return NAMES.split('|').some((known) => known.startsWith(name[1] ?? ''));
    return UNFINISHED_TAG.test(lower);
  }
  return ['[think]', '[/think]', '\u25c1think\u25b7', '\u25c1/think\u25b7'].some((mark) => mark.startsWith(lower));
}

function merged(parts: readonly ReasoningPart[]): ReasoningPart[] {
  const result: ReasoningPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last !== undefined && part.kind !== 'retract' && last.kind === part.kind)
      result[result.length - 1] = { kind: part.kind, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
