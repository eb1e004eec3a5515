import { createPersona } from '../../api/routes.ts';
import { FailedWork } from '../../components/notice.tsx';
import { confirm } from '../../state/confirm.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { listAllMcpServers } from '../mcp-servers/mcp-api.ts';
import { listAllTools } from '../tools/tool-api.ts';
import { type Choices, draftOf } from './persona-draft.ts';
import { readPersonaFile, stockOf } from './persona-file.ts';

/** Creates a persona from a file that was exported, here or elsewhere. */
export function PersonaImport({ choices }: { choices: Choices }) {
  const { work, run } = useWork();

  function onFile(file: File): void {
    void run(async () => {
      const [text, tools, mcpServers] = await Promise.all([file.text(), listAllTools(), listAllMcpServers()]);
      const { input, missing } = readPersonaFile(text, draftOf(null, choices), stockOf(choices, { tools, mcpServers }));
      if (missing.length > 0 && !(await confirm(withoutThem(missing)))) return;
      const { id } = await createPersona(input);
      go(`#/personas/${encodeURIComponent(id)}`);
    });
  }

  return (
    <>
      <label class="from-file" aria-busy={work.state === 'running'}>
        <input
          type="file"
          accept=".json,application/json"
          disabled={work.state === 'running'}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            // So that the same file can be chosen again.
            currentTarget.value = '';
            if (file !== undefined) onFile(file);
          }}
        />
        A file…
      </label>
      <FailedWork work={work} />
    </>
  );
}

function withoutThem(missing: readonly string[]) {
  const text =
    `Not here: ${missing.join(', ')}. Tools and MCP servers can be attached later; ` +
    'a face, voice or LLM that is not here is replaced by the usual one.';
  return { title: 'Import it without them?', text, yes: 'Import' };
}
