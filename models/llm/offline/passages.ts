import { sentencesOf, subjectStems } from './words.ts';

/** A passage of a knowledge tool's answer. */
export interface Passage {
  readonly file: string;
  readonly relevance: number;
  readonly text: string;
}

const HEADER = /\[Source \d+ from "([^"]*)", Relevance: (\d+)%\]\n/g;
/** Spoken answers are short. */
const MAX_SPOKEN_CHARACTERS = 320;

export function passagesIn(output: string): Passage[] {
  const headers = [...output.matchAll(HEADER)];
  return headers.map((header, index) => ({
    file: header[1] ?? '',
    relevance: Number(header[2]) / 100,
    text: output.slice((header.index ?? 0) + header[0].length, headers[index + 1]?.index).trim(),
  }));
}

interface Candidate {
  readonly sentences: readonly string[];
  readonly at: number;
  readonly score: number;
}

/**
 * The sentence that has most words in common with the question, with the next one if it belongs to it. Null: no word in
 * common.
 */
export function answerFromPassages(question: string, passages: readonly Passage[]): string | null {
  const wanted = new Set(subjectStems(question));
  // A word that is in all sentences says little about the place of the answer.
  const everywhere = passages
    .flatMap(({ text }) => sentencesOf(text))
    .map((sentence) => new Set(subjectStems(sentence)));
  const weight = (word: string): number => 1 / (1 + everywhere.filter((words) => words.has(word)).length);
  let best: Candidate | null = null;
  for (const { text, relevance } of passages) {
    const sentences = sentencesOf(text);
    sentences.forEach((sentence, at) => {
      const words = new Set(subjectStems(sentence));
      const shared = [...wanted].filter((word) => words.has(word));
      const score =
        shared.reduce((sum, word) => sum + weight(word), 0) * (1 + relevance) * (isHeading(sentence) ? 0.5 : 1);
      if (score > (best?.score ?? 0)) best = { sentences, at, score };
    });
  }
  return best === null ? null : spoken(best);
}

function spoken({ sentences, at }: Candidate): string {
  const found = sentences[at] ?? '';
  // A question or heading of a FAQ is not the answer. The text after it is.
  const isLead = found.endsWith('?') || isHeading(found);
  const answer =
    isLead && sentences[at + 1] !== undefined ? sentences.slice(at + 1, at + 3) : sentences.slice(at, at + 2);
  const [first = found, second] = answer.map(withoutLabel);
  const both = second === undefined || second.endsWith('?') || isHeading(second) ? first : `${first} ${second}`;
  const text = both.length <= MAX_SPOKEN_CHARACTERS ? both : first;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function isHeading(sentence: string): boolean {
  return !/[.!?:]$/.test(sentence) && sentence.split(' ').length <= 6;
}

/** "A: We open at nine." → "We open at nine." */
function withoutLabel(sentence: string): string {
  return sentence.replace(/^(?:Q|A|Question|Answer|Frage|Antwort)\s*:\s*/i, '');
}
