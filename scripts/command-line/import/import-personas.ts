import { isDeepStrictEqual } from 'node:util';
import { type HostedPersona, listAll } from './hosted.ts';
import { sentenceOf } from './import-knowledge.ts';
import { type Ids, type Importing, only } from './importing.ts';

const FIELDS = [
  'name',
  'description',
  'personaPreset',
  'skipGreeting',
  'uninterruptibleGreeting',
  'initialMessage',
  'zeroDataRetention',
  'voiceDetectionOptions',
  'languageCode',
  'enableAudioPassthrough',
  'widgetConfig',
];

/** What else was taken over, and under which ids. */
export interface Parts {
  readonly tools: Ids;
  readonly llms: Ids;
  readonly voices: Ids;
  readonly avatars: Ids;
}

/** Personas by their names. */
export async function importPersonas(work: Importing, parts: Parts): Promise<void> {
  const { from, to, tell } = work;
  const own = await listAll<HostedPersona>(to, '/v1/personas');
  for (const { id, isDefaultPersona } of await listAll<HostedPersona>(from, '/v1/personas')) {
    if (isDefaultPersona === true) continue;
    const persona = await from.send<HostedPersona>('GET', `/v1/personas/${id}`);
    const known = own.find(({ name }) => name === persona.name);
    const { body, lost } = bodyOf(persona, parts);
    const what = `persona ${persona.name}`;
    try {
      if (known !== undefined) await keep(work, known.id, body, what);
      else {
        await to.send('POST', '/v1/personas', body);
        tell('taken', what, lost.length === 0 ? undefined : lost.join('; '));
      }
    } catch (error) {
      tell('left', what, sentenceOf(error));
    }
  }
}

async function keep(
  { to, update, tell }: Importing,
  id: string,
  body: Readonly<Record<string, unknown>>,
  what: string,
): Promise<void> {
  const there = await to.send<HostedPersona>('GET', `/v1/personas/${id}`);
  const now: Readonly<Record<string, unknown>> = { ...there, ...there.brain };
  const differing = Object.entries(body).filter(([field, value]) => !isSame(now[field], value));
  if (differing.length === 0) return tell('there', what);
  const names = differing.map(([field]) => field).join(', ');
  if (!update) return tell('there', what, `it differs in ${names}; --update makes it like there`);
  await to.send('PUT', `/v1/personas/${id}`, Object.fromEntries(differing));
  tell('changed', what, names);
}

/** Of an object only what the other one says: this service fills in defaults. */
function isSame(now: unknown, wanted: unknown): boolean {
  if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted))
    return isDeepStrictEqual(now ?? null, wanted);
  return isDeepStrictEqual(only((now ?? {}) as Record<string, unknown>, Object.keys(wanted)), wanted);
}

/** @returns what this service is asked to save, and what is lost, in words. */
function bodyOf(persona: HostedPersona, { tools, llms, voices, avatars }: Parts) {
  const lost: string[] = [];
  const found = (kind: string, ids: Ids, one: { readonly id: string; readonly displayName?: string } | null) => {
    if (one === null) return {};
    const id = ids.get(one.id);
    if (id !== undefined) return { [`${kind}Id`]: id };
    lost.push(`its ${kind === 'llm' ? 'LLM' : kind} ${one.displayName ?? one.id} is not here, choose another one`);
    return {};
  };
  const voice = found('voice', voices, persona.voice ?? null);
  const wanted = persona.toolIds ?? persona.tools?.map(({ id }) => id) ?? [];
  const toolIds = wanted.flatMap((id) => tools.get(id) ?? []);
  if (toolIds.length < wanted.length) lost.push(`${wanted.length - toolIds.length} of its tools are not here`);
  const options = persona['voiceGenerationOptions'];
  const body: Record<string, unknown> = {
    ...only(persona, FIELDS),
    systemPrompt: persona.brain?.systemPrompt ?? '',
    ...(persona.brain?.personality && { personality: persona.brain.personality }),
    ...found('avatar', avatars, persona.avatar ?? null),
    ...voice,
    // They mean something to that voice alone.
    ...('voiceId' in voice && options != null && { voiceGenerationOptions: options }),
    ...found('llm', llms, persona.llmId == null ? null : { id: persona.llmId }),
    toolIds,
  };
  return { body, lost };
}
