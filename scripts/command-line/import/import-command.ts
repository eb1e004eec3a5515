import { type Api, CommandError } from '../api.ts';
import { listAll, patient } from './hosted.ts';
import { importKnowledge } from './import-knowledge.ts';
import { importAvatars, importLlms, matchVoices } from './import-looks.ts';
import { importPersonas } from './import-personas.ts';
import { importTools } from './import-tools.ts';
import type { Fate, Ids, Importing } from './importing.ts';

const WORDS: Readonly<Record<Fate, string>> = {
  taken: 'taken  ',
  there: 'there  ',
  changed: 'changed',
  left: 'LEFT   ',
};

/** What nobody can take along, with what there is to do. */
const NOT_TAKEN = [
  ['/v1/share-links', 'share links', 'their addresses lead there: make new ones'],
  ['/v1/sessions', 'sessions', 'transcripts and recordings stay there'],
] as const;

/**
 * Takes over what an account of the hosted service has, through its `/v1`. What has the same name here is left as it is, so
 * that it can be run again. @returns whether nothing was left. @throws CommandError
 */
export async function importAccount(
  from: Api,
  to: Api,
  update: boolean,
  print: (line: string) => void,
): Promise<boolean> {
  const counts: Record<Fate, number> = { taken: 0, there: 0, changed: 0, left: 0 };
  const work: Importing = {
    from: patient(from, print),
    to,
    update,
    tell(fate, what, why) {
      counts[fate] += 1;
      print(`${WORDS[fate]} ${what}${why === undefined ? '' : `: ${why}`}`);
    },
  };
  // Before anything is written: a wrong key is no empty account.
  await listAll(work.from, '/v1/personas');
  const readable = (kind: string, reading: Promise<Ids>): Promise<Ids> => unlessForbidden(work, kind, reading);
  const groups = await readable('knowledge', importKnowledge(work));
  const parts = {
    tools: await readable('tools', importTools(work, groups)),
    llms: await readable('LLMs', importLlms(work)),
    voices: await readable('voices', matchVoices(work)),
    avatars: await readable('avatars', importAvatars(work)),
  };
  await importPersonas(work, parts);
  await tellOthers(work);
  print(`${counts.taken} taken, ${counts.changed} changed, ${counts.there} were there, ${counts.left} left.`);
  return counts.left === 0;
}

/** A key may not read everything. */
async function unlessForbidden({ tell }: Importing, kind: string, reading: Promise<Ids>): Promise<Ids> {
  try {
    return await reading;
  } catch (error) {
    const isHidden = error instanceof CommandError && (error.status === 403 || error.status === 404);
    if (!isHidden) throw error;
    tell('left', kind, error.message);
    return new Map();
  }
}

async function tellOthers({ from, tell }: Importing): Promise<void> {
  for (const [path, what, why] of NOT_TAKEN) {
    const { meta } = await from
      .send<{ meta?: { total?: number } }>('GET', `${path}?perPage=1`)
      .catch((): { meta?: { total?: number } } => ({}));
    const count = meta?.total ?? 0;
    if (count > 0) tell('left', `${count} ${what}`, why);
  }
}
