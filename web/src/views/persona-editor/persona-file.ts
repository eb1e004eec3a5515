import { InputError } from '../../api/problem.ts';
import type { PersonaInput } from '../../../../control/api/personas/persona-schema.ts';
import { type Choices, inputOf, type PersonaDraft } from './persona-draft.ts';

/** What says that a file is one. The number is raised when an older console could not read it. */
const FORMAT = 'parley-persona/1';

/** Not in a file: what is named instead, and whose web sites and addresses they are. */
const LEFT_OUT: ReadonlySet<string> = new Set<keyof PersonaInput>([
  'avatarId',
  'voiceId',
  'llmId',
  'toolIds',
  'mcpServerIds',
  'widgetConfig',
]);

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a persona uses of its organization, by name: ids mean nothing elsewhere. */
export interface Stock {
  readonly avatars: readonly Named[];
  readonly voices: readonly Named[];
  readonly llms: readonly Named[];
  readonly tools: readonly Named[];
  readonly mcpServers: readonly Named[];
}

/** @returns what the editor has loaded, and the rest. */
export function stockOf(
  { avatars, voices, llms }: Choices,
  rest: { readonly tools: readonly Named[]; readonly mcpServers: readonly Named[] },
): Stock {
  const shown = ({ id, displayName }: { id: string; displayName: string }): Named => ({ id, name: displayName });
  return { avatars: avatars.map(shown), voices: voices.map(shown), llms: llms.map(shown), ...rest };
}

/** @returns a persona as the text of a file. */
export function personaFile(draft: PersonaDraft, stock: Stock): string {
  const names = (ids: readonly (string | null)[], all: readonly Named[]): string[] =>
    ids.flatMap((id) => all.find((one) => one.id === id)?.name ?? []);
  const file = {
    format: FORMAT,
    persona: withoutIds(inputOf(draft, draft)),
    avatar: names([draft.avatarId], stock.avatars)[0] ?? null,
    voice: names([draft.voiceId], stock.voices)[0] ?? null,
    llm: names([draft.llmId], stock.llms)[0] ?? null,
    tools: names(draft.toolIds, stock.tools),
    mcpServers: names(draft.mcpServerIds, stock.mcpServers),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** What a file says, as the API takes it. */
export interface ReadPersona {
  readonly input: PersonaInput;
  /** What it names and what is not here: `the tool show_map`. */
  readonly missing: readonly string[];
}

/**
 * The API checks the fields themselves.
 * @param blank a new persona, whose face, voice and LLM are taken where the file's are not here.
 * @throws InputError if it is no such file.
 */
export function readPersonaFile(text: string, blank: PersonaDraft, stock: Stock): ReadPersona {
  const { persona, ...names } = parsed(text);
  const missing: string[] = [];
  const idsOf = (what: string, named: unknown, all: readonly Named[]): string[] =>
    (Array.isArray(named) ? named : [named]).flatMap((name: unknown) => {
      if (typeof name !== 'string') return [];
      const found = all.find((one) => one.name === name);
      if (found === undefined) missing.push(`the ${what} ${name}`);
      return found?.id ?? [];
    });
  const input = {
    ...withoutIds(persona),
    avatarId: idsOf('face', names['avatar'], stock.avatars)[0] ?? blank.avatarId,
    voiceId: idsOf('voice', names['voice'], stock.voices)[0] ?? blank.voiceId,
    llmId: idsOf('LLM', names['llm'], stock.llms)[0] ?? blank.llmId,
    toolIds: idsOf('tool', names['tools'], stock.tools),
    mcpServerIds: idsOf('MCP server', names['mcpServers'], stock.mcpServers),
  } as PersonaInput;
  return { input, missing };
}

function withoutIds(persona: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(persona).filter(([field]) => !LEFT_OUT.has(field)));
}

function parsed(text: string): Readonly<Record<string, unknown>> & { readonly persona: object } {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  let file: unknown = null;
  try {
    file = JSON.parse(text);
  } catch {
    // The same is said of every file that is none.
  }
  if (!isObject(file) || !isObject(file['persona']) || typeof file['format'] !== 'string')
    throw new InputError({ path: 'file', message: 'This file is no persona that was exported here.' });
  if (file['format'] !== FORMAT)
    throw new InputError({ path: 'file', message: `This file is not of the format ${FORMAT}.` });
  return { ...file, persona: file['persona'] };
}
