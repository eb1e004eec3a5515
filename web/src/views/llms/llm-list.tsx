import { listLlms } from '../../api/routes.ts';
import type { Llm } from '../../api/types.ts';
import { ListPage } from '../../components/list-page.tsx';
import type { Row } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';

export function LlmList() {
  const llms = useLoaded('llms', listLlms);
  return (
    <ListPage
      title="LLMs"
      text="The language models that think for personas: those of this service, and your own."
      icon="chip"
      make={{ label: 'New LLM', href: '#/llms/new' }}
      loaded={llms}
      rows={({ data }) => data.map(rowOf)}
      empty="There are no LLMs yet."
    />
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
