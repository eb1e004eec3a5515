import { diffWordsWithSpace } from 'diff';

/** A field that two versions have differently. */
export interface FieldDiff {
  readonly field: string;
  readonly label: string;
  readonly parts: readonly DiffPart[];
}

export interface DiffPart {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed' | 'left-out';
}

/** Says what an id stands for. */
export type NameOf = (field: string, id: string) => string;

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  personaPreset: 'Template',
  avatarId: 'Face',
  avatarModel: 'Avatar model',
  voiceId: 'Voice',
  llmId: 'LLM',
  languageCode: 'Language',
  systemPrompt: 'Who it is, and what it does',
  personality: 'Personality',
  initialMessage: 'First words',
  skipGreeting: 'Waits for the user to speak first',
  uninterruptibleGreeting: 'Greeting cannot be interrupted',
  voiceDetectionOptions: 'Turn-taking',
  voiceGenerationOptions: 'Voice options',
  directorNotes: 'Director’s notes',
  variables: 'Variables',
  grading: 'After the call',
  toolIds: 'Tools and knowledge',
  mcpServerIds: 'MCP servers',
  zeroDataRetention: 'Zero data retention',
  enableSessionReplay: 'Recorded',
  enableAudioPassthrough: 'Audio passthrough',
  maxSessionLengthSeconds: 'Longest conversation, in seconds',
  widgetConfig: 'Widget',
};

/** Words around a change that are shown, on each side. */
const CONTEXT = 12;

/** What changes from one content to another, field by field, in the order of the editor. */
export function contentDiff(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): readonly FieldDiff[] {
  const known = Object.keys(LABELS);
  const fields = [...known, ...Object.keys(after).filter((field) => !known.includes(field))];
  return fields.flatMap((field) => {
    const [one, other] = [wordsOf(field, before[field], nameOf), wordsOf(field, after[field], nameOf)];
    if (one === other || !(field in before && field in after)) return [];
    return [{ field, label: LABELS[field] ?? field, parts: shortened(diffOf(one, other)) }];
  });
}

function diffOf(before: string, after: string): readonly DiffPart[] {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

/** A value as text that can be compared by its words. */
function wordsOf(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => wordsOf(field, one, nameOf)).join('\n');
  if (typeof value === 'object')
    return Object.entries(value)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([key, one]) => `${key}: ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
      .join('\n');
  return typeof value === 'string' && field.endsWith('Id')
    ? nameOf(field, value)
    : field.endsWith('Ids')
      ? nameOf(field, String(value))
      : String(value);
}

/** Long parts that are the same are cut to what stands beside a change. */
function shortened(parts: readonly DiffPart[]): readonly DiffPart[] {
  return parts.flatMap((part, index): readonly DiffPart[] => {
    if (part.kind !== 'same') return [part];
    const words = part.text.split(/(?<=\s)/);
    const [from, to] = [index === 0 ? 0 : CONTEXT, index === parts.length - 1 ? 0 : CONTEXT];
    if (words.length <= from + to + 1) return [part];
    return [
      { text: words.slice(0, from).join(''), kind: 'same' as const },
      { text: ' … ', kind: 'left-out' as const },
      { text: to === 0 ? '' : words.slice(-to).join(''), kind: 'same' as const },
    ].filter(({ text }) => text !== '');
  });
}
