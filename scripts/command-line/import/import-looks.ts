import { type HostedAvatar, type HostedLlm, type HostedVoice, listAll } from './hosted.ts';
import { fileAt, sentenceOf } from './import-knowledge.ts';
import { type Ids, type Importing, only } from './importing.ts';

const LLM_FIELDS = [
  'displayName',
  'description',
  'urls',
  'llmFormat',
  'modelName',
  'metadata',
  'reasoningEffort',
  'reasoningFormat',
  'temperature',
  'maxTokens',
  'deploymentName',
  'apiVersion',
];

/** LLMs of the organization by their names; those of the service by their ids, where this one has them, too. */
export async function importLlms({ from, to, tell }: Importing): Promise<Ids> {
  const own = await listAll<HostedLlm>(to, '/v1/llms');
  const ids = new Map(own.filter(({ isDefault }) => isDefault === true).map(({ id }) => [id, id]));
  for (const llm of await listAll<HostedLlm>(from, '/v1/llms')) {
    const known = own.find(({ displayName }) => displayName === llm.displayName);
    if (known !== undefined) ids.set(llm.id, known.id);
    if (llm.isDefault === true) continue;
    const what = `LLM ${llm.displayName}`;
    if (known !== undefined) {
      tell('there', what);
      continue;
    }
    try {
      const set = Object.fromEntries(Object.entries(only(llm, LLM_FIELDS)).filter(([, value]) => value !== null));
      ids.set(llm.id, (await to.send<HostedLlm>('POST', '/v1/llms', set)).id);
      tell('taken', what, 'without its key, which no service gives out: write it anew');
    } catch (error) {
      tell('left', what, sentenceOf(error));
    }
  }
  return ids;
}

/** Voices that have the same name here. Others are told with the personas that use them. */
export async function matchVoices({ from, to, tell }: Importing): Promise<Ids> {
  const own = await listAll<HostedVoice>(to, '/v1/voices');
  const there = await listAll<HostedVoice & Pick<HostedAvatar, 'createdByOrganizationId'>>(from, '/v1/voices');
  const ids = new Map<string, string>();
  for (const voice of there) {
    const known = own.find(({ displayName }) => displayName === voice.displayName);
    if (known !== undefined) ids.set(voice.id, known.id);
    else if (voice.createdByOrganizationId != null)
      tell('left', `voice ${voice.displayName}`, 'its recording is not given out: clone it here anew');
  }
  return ids;
}

/** Avatars by their names: own ones are made of their picture, those of the service have to be here. */
export async function importAvatars({ from, to, tell }: Importing): Promise<Ids> {
  const own = await listAll<HostedAvatar>(to, '/v1/avatars');
  const ids = new Map<string, string>();
  for (const avatar of await listAll<HostedAvatar>(from, '/v1/avatars')) {
    const known = own.find(({ displayName }) => displayName === avatar.displayName);
    if (known !== undefined) ids.set(avatar.id, known.id);
    if (avatar.createdByOrganizationId == null) continue;
    const what = `avatar ${avatar.displayName}`;
    if (known !== undefined) {
      tell('there', what);
      continue;
    }
    try {
      const form = new FormData();
      form.set('displayName', avatar.displayName);
      form.set('imageFile', await fileAt(avatar.imageUrl ?? ''), 'picture');
      ids.set(avatar.id, (await to.send<HostedAvatar>('POST', '/v1/avatars', form)).id);
      tell('taken', what);
    } catch (error) {
      tell('left', what, sentenceOf(error));
    }
  }
  return ids;
}
