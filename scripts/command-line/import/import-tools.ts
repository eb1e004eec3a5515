import { isDeepStrictEqual } from 'node:util';
import { type HostedTool, listAll } from './hosted.ts';
import { type Ids, type Importing, only } from './importing.ts';
import { sentenceOf } from './import-knowledge.ts';

const FIELDS = ['name', 'description', 'type', 'config', 'disableInterruptions'];

/** Tools by their names. @param groups ids of knowledge groups. */
export async function importTools(work: Importing, groups: Ids): Promise<Ids> {
  const { from, to, tell } = work;
  const own = await listAll<HostedTool>(to, '/v1/tools');
  const ids = new Map<string, string>();
  for (const tool of await listAll<HostedTool>(from, '/v1/tools')) {
    const known = own.find(({ name, type }) => name === tool.name && type === tool.type);
    try {
      const body = only({ ...tool, config: configOf(tool, groups) }, FIELDS);
      const { id } = known ?? (await to.send<HostedTool>('POST', '/v1/tools', body));
      ids.set(tool.id, id);
      if (known === undefined) tell('taken', `tool ${tool.name}`, hiddenHeaders(tool));
      else await keep(work, known, body);
    } catch (error) {
      tell('left', `tool ${tool.name}`, sentenceOf(error));
    }
  }
  return ids;
}

/** Of what is here already. Defaults that this service fills in are no difference. */
async function keep({ to, update, tell }: Importing, known: HostedTool, body: Record<string, unknown>): Promise<void> {
  const what = `tool ${known.name}`;
  const config = body['config'] as Record<string, unknown>;
  const isSame =
    known.description === body['description'] && isDeepStrictEqual(only(known.config, Object.keys(config)), config);
  if (isSame) return tell('there', what);
  if (!update) return tell('there', what, 'it differs; --update makes it like there');
  await to.send('PUT', `/v1/tools/${known.id}`, body);
  tell('changed', what);
}

function configOf({ config }: HostedTool, groups: Ids): Record<string, unknown> {
  const folders = config['documentFolderIds'];
  if (!Array.isArray(folders)) return { ...config };
  return { ...config, documentFolderIds: folders.flatMap((id: string) => groups.get(id) ?? []) };
}

/** Some services show stars instead of secrets. */
function hiddenHeaders({ config }: HostedTool): string | undefined {
  const headers = Object.entries((config['headers'] ?? {}) as Readonly<Record<string, string>>);
  const hidden = headers.filter(([, value]) => /^(\[REDACTED\]|[*•]+)$/.test(value)).map(([name]) => name);
  return hidden.length === 0 ? undefined : `its headers are hidden there, write them anew: ${hidden.join(', ')}`;
}
