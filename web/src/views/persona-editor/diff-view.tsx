import { listAllTools } from '../tools/tool-api.ts';
import { listAllMcpServers } from '../mcp-servers/mcp-api.ts';
import { useLoaded } from '../../state/load.ts';
import { contentDiff, type NameOf } from './content-diff.ts';
import type { Choices } from './persona-draft.ts';

/** What changes from one content of a persona to another, word by word. */
export function DiffView(props: {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
  choices: Choices;
}) {
  const nameOf = useNames(props.choices);
  const fields = contentDiff(props.before, props.after, nameOf);
  if (fields.length === 0) return <p class="muted">Nothing changes.</p>;
  return (
    <dl class="diff">
      {fields.map(({ field, label, parts }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            {parts.map(({ text, kind }, index) =>
              kind === 'added' ? (
                <ins key={index}>
                  <span class="visually-hidden">added: </span>
                  {text}
                </ins>
              ) : kind === 'removed' ? (
                <del key={index}>
                  <span class="visually-hidden">removed: </span>
                  {text}
                </del>
              ) : (
                <span key={index} class={kind === 'left-out' ? 'muted' : undefined}>
                  {text}
                </span>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Names of what a persona refers to. */
function useNames({ avatars, voices, llms }: Choices): NameOf {
  const attached = useLoaded('names', async () => {
    const [tools, servers] = await Promise.all([listAllTools(), listAllMcpServers()]);
    return [...tools, ...servers];
  });
  return (field, id) => {
    const rows: readonly { readonly id: string; readonly displayName?: string; readonly name?: string }[] =
      field === 'avatarId'
        ? avatars
        : field === 'voiceId'
          ? voices
          : field === 'llmId'
            ? llms
            : attached.state === 'ready'
              ? attached.value
              : [];
    const row = rows.find((one) => one.id === id);
    return row?.displayName ?? row?.name ?? (attached.state === 'loading' ? '…' : 'something that was deleted');
  };
}
