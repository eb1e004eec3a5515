import type { ToolSpec } from '../../models/ports.ts';
import { aboutServiceMark, type ServiceMark } from '../phrases/service-mark.ts';
import { languageName } from '../phrases/language-names.ts';
import {
  includesLanguage,
  languageNames,
  type Languages,
  type SessionLanguages,
} from '../settings/session-languages.ts';
import { INTERRUPTED_MARK } from './history-window.ts';

export interface SystemPromptParts {
  readonly systemPrompt: string;
  readonly personality: string | null;
  /** How the persona is to perform, in the director's own words; null without any. */
  readonly style: string | null;
  /** What is special about a meeting; null where there is none. */
  readonly meeting: string | null;
  /** ISO 639-1 to answer in, or null: the user's. */
  readonly language: string | null;
  /** In which the session can hear and speak. */
  readonly languages: SessionLanguages;
  readonly tools: readonly ToolSpec[];
  /** Inline acting cues are worth mentioning only where the avatar can act. */
  readonly canAct: boolean;
  /** Of this session. */
  readonly mark: ServiceMark;
}

/** The persona's own words first, then what every spoken conversation needs. */
export function assembleSystemPrompt(parts: SystemPromptParts): string {
  return [
    parts.systemPrompt.trim(),
    section('Your personality', parts.personality),
    // Of the words, and of the expression: the face follows the cues that the LLM writes.
    section('How you come across, in your words and in your expression', parts.style),
    serviceInstructions(parts),
    parts.meeting ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(title: string, text: string | null): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? '' : `${title}: ${trimmed}`;
}

function serviceInstructions(parts: SystemPromptParts): string {
  const lines = [
    'You are talking with a person by voice and video. Everything you write is spoken aloud.',
    'Keep answers short, usually one to three sentences, in natural spoken language.',
    'Write plain sentences only: no markdown, lists, headings, emoji, code or web addresses. Write out what is hard to read aloud.',
    "The user's words come from speech recognition and may contain errors: take the most likely meaning, and ask when you are unsure.",
    `If an earlier answer of yours ends with ${INTERRUPTED_MARK}, the user cut you off there and did not hear more. Never write that mark yourself; do not repeat what was cut unless it is still wanted.`,
    aboutServiceMark(parts.mark),
    languageInstruction(parts),
  ];
  if (parts.tools.length > 0) {
    lines.push(
      'Use a tool only when it is needed for what the user wants, and never invent its result. If a call will take a moment, say so in a few words first. When a tool fails, say so plainly and go on.',
    );
  }
  if (parts.canAct) {
    lines.push(
      'You may put one of these cues in square brackets where your expression should change: happy, warm, playful, laughter, curious, supportive, concerned, sad, surprised, angry, distressed.',
    );
  }
  return lines.join('\n');
}

/** A longer list is nearly every language, and every request would carry it. */
const MAX_NAMED_LANGUAGES = 12;

/** Promises no language in which the user is not understood or the voice cannot speak. */
function languageInstruction({ language, languages: { recognized, spoken } }: SystemPromptParts): string {
  const isNamed = (known: Languages): known is readonly string[] =>
    known !== 'any' && known.length <= MAX_NAMED_LANGUAGES;
  return [
    language !== null && includesLanguage(spoken, language)
      ? `Speak ${languageName(language)} unless the user asks for another language.`
      : 'Answer in the language that the user speaks.',
    isNamed(recognized) ? `Speech recognition understands only ${languageNames(recognized)}.` : '',
    isNamed(spoken) ? `Your voice speaks only ${languageNames(spoken)}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
