/**
 * Models that were told to reason in steps (ReAct), and smaller ones whose server has no tools, write "Thought: …",
 * "Action: get_weather", "Action Input: …", "Observation: …", "Final Answer: …". Only the final answer is said; the first
 * action is a call, and what the model then makes up in place of its result is dropped.
 */

/** Begins a line, or follows what was thought. */
const LINE = '(?:\\n|(?<=</think(?:ing)?>)\\s{0,4})';
/** What is remembered of the text before, to know the beginning of a line. */
const MAX_BEFORE = 16;
const step = (labels: string): string =>
  `${LINE}[ \\t>#*_-]{0,6}(?:${labels})(?: ?\\d{1,2})?[*_ ]{0,3}[:：][*_]{0,3}[ \\t]*`;
/** Of a call in words: only before the name of a tool. */
const CALLS = ['Tool', 'Function'].flatMap((what) => [what, what.toLowerCase(), `${what} call`, `${what} Call`]);
const CALLING = ['Calling tool', 'Calling function', 'Calling Tool', 'Calling Function'];
const OF_CALLS = ['Action', 'ACTION', ...CALLS, ...CALLING];
/** Begins the steps. A question does not: it may be one of a quiz. */
const BEGINS = new RegExp(step(['Thought|THOUGHT|Final Answer', ...OF_CALLS].join('|')), 'g');
const ACTION = new RegExp(step(OF_CALLS.join('|')), 'i');
/** What the model makes up behind an action, or does next. */
const AFTER_ACTION = new RegExp(`${step('Observation|Thought|Question|Final Answer')}|\\nPAUSE\\b`, 'i');
const ANSWER = new RegExp(step('Final Answer|Answer|Response|AI|Assistant|Reply'), 'i');
/** Of a library that asks for steps: it puts this behind what it cannot read, and models repeat it. */
const SUPPORT = '\nFor troubleshooting, visit:';
const AFTER_ANSWER = new RegExp(`${step('Thought|Question|Observation|Action')}|${SUPPORT}`, 'i');
/** The labels that a line is watched for; no other word waits. */
const LABELS = ['Thought', 'THOUGHT', ...OF_CALLS, 'Final Answer', 'Question', 'Observation'];
/** A line that may become the beginning of a step, and the letters of its label so far. */
const MAYBE_STEP = new RegExp(`${LINE}[ \\t>#*_-]{0,6}([A-Za-z]{0,11}(?: [A-Za-z]{0,8})?)(?: ?\\d{0,2})[*_ ]{0,3}$`);
const MAX_LABEL_LENGTH = 40;
/** What stands in place of the name where no tool is needed. */
const NONE = /^\W*(?:none|n\/a|no action|no tool|nothing|final answer)\b/i;

export class ReactSteps {
  readonly #names: readonly string[];
  readonly #longestName: number;
  #place: 'text' | 'steps' | 'answer' | 'over' = 'text';
  #held = '';
  #before = '\n';
  /** Whether the answer has begun: blanks before it say nothing. */
  #answers = false;

  /** @param names of the tools that were offered. */
  constructor(names: Iterable<string>) {
    this.#names = [...names];
    this.#longestName = Math.max(MAX_LABEL_LENGTH, ...this.#names.map(({ length }) => length));
  }

  /** @returns what of the text is said. */
  push(piece: string): string {
    this.#held += piece;
    return this.#place === 'text' ? this.#free(false) : this.#within();
  }

  /** @returns the rest of what is said, the text of the first action, and what was thought. */
  end(): { text: string; action: string | null; thought: string } {
    const text = this.#place === 'text' ? this.#free(true) : '';
    const held = this.#held;
    this.#held = '';
    if (this.#place !== 'steps') return { text: text + held, action: null, thought: '' };
    const action = actionIn(held);
    if (action !== null) return { text, action, thought: held };
    // The answer stands below the thought, without a name.
    const [thought = '', ...paragraphs] = held.trim().split(/\n\s*\n/);
    const said = paragraphs.filter((paragraph) => `\n${paragraph}`.search(BEGINS) === -1);
    return { text: text + said.join('\n\n'), action: null, thought };
  }

  /** Passes on what is no step. A step begins a line: the last one waits while it may become one. */
  #free(isEnd: boolean): string {
    const before = this.#before.length;
    const whole = this.#before + this.#held;
    let waits = isEnd ? whole.length : safeLength(whole);
    for (const begin of whole.matchAll(BEGINS)) {
      const is = this.#isStep(begin[0], whole.slice(begin.index + begin[0].length), isEnd);
      if (is === null) waits = Math.min(waits, begin.index);
      if (is !== true) continue;
      const text = this.#pass(Math.max(0, begin.index - before));
      this.#held = `\n${this.#held.trimStart()}`;
      this.#place = 'steps';
      return text + this.#within();
    }
    return this.#pass(Math.max(0, waits - before));
  }

  /** @returns null while nobody can tell: "Action: call a doctor" is advice. */
  #isStep(label: string, rest: string, isEnd: boolean): boolean | null {
    if (/thought|answer/i.test(label)) return true;
    const name = rest.trimStart().replace(/^[`"'[*]+/, '');
    if (/^(?:\{|json\s*\{)/.test(name) || NONE.test(name) || this.#names.some((one) => name.startsWith(one)))
      return true;
    return isEnd || name.length > this.#longestName || /\S\n/.test(rest) ? false : null;
  }

  #within(): string {
    if (this.#place === 'steps') {
      const answer = ANSWER.exec(this.#held);
      if (answer === null || actionIn(this.#held.slice(0, answer.index)) !== null) return '';
      this.#held = this.#held.slice(answer.index + answer[0].length);
      this.#place = 'answer';
    }
    if (this.#place === 'over') this.#held = '';
    if (!this.#answers) this.#held = this.#held.trimStart();
    this.#answers ||= this.#held !== '';
    const over = AFTER_ANSWER.exec(this.#held);
    if (over === null) return this.#pass(safeLength(this.#held));
    const text = this.#pass(over.index);
    this.#place = 'over';
    this.#held = '';
    return text;
  }

  #pass(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#before = (this.#before + text).slice(-MAX_BEFORE);
    return text;
  }
}

/** @returns how much of the text is before a line that may become a step. */
function safeLength(text: string): number {
  const from = Math.max(0, text.length - MAX_LABEL_LENGTH);
  const maybe = MAYBE_STEP.exec(text.slice(from));
  if (maybe !== null && LABELS.some((label) => label.startsWith(maybe[1]!.trimEnd()))) return from + maybe.index;
  const line = text.lastIndexOf('\n');
  return line !== -1 && SUPPORT.startsWith(text.slice(line)) ? line : text.length;
}

/** @returns the name of the first action's tool, and what it gets; null where no tool is used. */
function actionIn(steps: string): string | null {
  const action = ACTION.exec(steps);
  if (action === null) return null;
  const rest = steps.slice(action.index + action[0].length);
  if (NONE.test(rest)) return null;
  return rest.slice(0, AFTER_ACTION.exec(rest)?.index);
}
