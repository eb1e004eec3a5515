import { listLlms } from '../../api/routes.ts';
import type { Llm } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHead, Rows, Shown, type Row } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';

export function LlmList() {
  const llms = useLoaded('llms', listLlms);
  return (
    <main class="page">
      <PageHead title="LLMs" text="The language models that think for personas: those of this service, and your own.">
        <a class="button primary" href="#/llms/new">
          <Icon name="plus" />
          New LLM
        </a>
      </PageHead>
      <Shown loaded={llms}>
        {({ data }) => <Rows rows={data.map(rowOf)} icon="chip" empty="There are no LLMs yet." />}
      </Shown>
    </main>
  );
}

function rowOf(llm: Llm): Row {
  return {
    id: llm.id,
    href: `#/llms/${llm.id}`,
    title: llm.displayName,
    text: llm.description ?? '',
    badges: [
      ...(llm.unreadable === true ? [{ text: 'Enter its key again', tone: 'bad' as const }] : []),
      ...(llm.displayTags.includes('deprecated') ? [{ text: 'Deprecated', tone: 'warn' as const }] : []),
      ...(llm.isDefault ? [{ text: 'Of this service' }] : []),
    ],
  };
}
