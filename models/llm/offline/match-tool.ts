import type { ToolSpec } from '../../ports.ts';
import { inLabel } from './label.ts';
import { isSystemTool, propertiesOf } from './system-tools.ts';
import { stem, subjectStems, wordsOf } from './words.ts';

/** Verbs of many tools. They count, but are no match alone. */
const COMMON_VERBS = new Set(
  'change show display set open close start stop add create update delete remove check find search look send play use turn run call query lookup fetch request handle'
    .split(' ')
    .map(stem),
);

/** Synonyms of words in names of tools. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['book', 'reserve', 'reservation', 'booking', 'appointment', 'schedule', 'table'],
  ['order', 'buy', 'purchase', 'checkout'],
  ['weather', 'forecast', 'temperature', 'rain', 'sunny'],
  ['color', 'colour', 'red', 'green', 'blue', 'yellow', 'pink', 'purple', 'orange', 'black', 'white'],
  ['picture', 'image', 'photo'],
  ['mail', 'email'],
  ['human', 'agent', 'transfer', 'person', 'operator', 'support'],
  ['navigate', 'go', 'page', 'site'],
  ['price', 'cost', 'quote'],
  ['remind', 'reminder'],
  ['light', 'lamp'],
  ['music', 'song'],
].map((group) => group.map(stem));

const WISH =
  /(?:^| )(please|can you|could you|would you|will you|let's|let us|i want|i'd like|i would like|i need|give me|show me|tell me|what|what's|how|is there|are there|do you have|ich möchte|kannst du|bitte|je voudrais|peux-tu|quiero|puedes|vorrei|puoi)(?= |$)/;
/** Words of a short order: "pizza, large". */
const SHORT = 4;

/** The tool that the words ask for, or null. Knowledge and system tools are found in other ways. */
export function matchTool(tools: readonly ToolSpec[], said: string): ToolSpec | null {
  const heard = wordsOf(said);
  const spoken = withSynonyms(heard.filter((word) => word.length > 1).map(stem));
  let best: { tool: ToolSpec; score: number } | null = null;
  for (const tool of tools) {
    if (isSystemTool(tool) || isKnowledgeTool(tool)) continue;
    const score = scoreOf(tool, spoken, heard);
    if (score > (best?.score ?? 0)) best = { tool, score };
  }
  return best?.tool ?? null;
}

/** 0, unless a wish contains a noun of the tool's name or several words of its description. */
function scoreOf(tool: ToolSpec, spoken: ReadonlySet<string>, heard: readonly string[]): number {
  const name = wordsOf(inLabel(tool.name))
    .map(stem)
    .filter((word) => word.length > 2 && word !== 'get' && word !== 'the' && word !== 'tool');
  const description = new Set(
    subjectStems(tool.description).filter((word) => !name.includes(word) && !COMMON_VERBS.has(word)),
  );
  const nouns = name.filter((word) => !COMMON_VERBS.has(word) && spoken.has(word)).length;
  const verbs = name.filter((word) => COMMON_VERBS.has(word) && spoken.has(word)).length;
  const details = [...description].filter((word) => spoken.has(word)).length;
  if (nouns === 0 && details < 2 && !(verbs > 0 && details > 0)) return 0;
  const wished =
    WISH.test(heard.join(' ')) || heard.length <= SHORT || [...name, ...COMMON_VERBS].includes(stem(heard[0] ?? ''));
  return wished ? 3 * nouns + verbs + details : 0;
}

function withSynonyms(stems: readonly string[]): Set<string> {
  const all = new Set(stems);
  for (const group of SYNONYMS) if (group.some((word) => all.has(word))) for (const word of group) all.add(word);
  return all;
}

const KNOWLEDGE_WORDS =
  /\b(knowledge|documents?|faqs?|information|info|questions?|handbook|manual|policy|policies|docs|facts|articles?|wissen|dokumente?)\b/;

/**
 * A tool that answers questions: it searches documents, or it has one text parameter called `query` and its description
 * mentions knowledge.
 */
export function isKnowledgeTool(tool: ToolSpec): boolean {
  if (tool.searchesDocuments === true) return true;
  const names = Object.keys(propertiesOf(tool));
  return (
    names.length === 1 &&
    names[0] === 'query' &&
    (tool.description === '' || KNOWLEDGE_WORDS.test(`${inLabel(tool.name)} ${tool.description.toLowerCase()}`))
  );
}
