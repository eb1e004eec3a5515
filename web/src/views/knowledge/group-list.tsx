import { Icon } from '../../components/icon.tsx';
import { PageHead, Rows, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { listGroups } from './knowledge-api.ts';

export function GroupList() {
  const groups = useLoaded('groups', listGroups);
  return (
    <main class="page">
      <PageHead title="Knowledge" text="Groups of documents. A tool of the kind Knowledge searches them for a persona.">
        <a class="button primary" href="#/knowledge/new">
          <Icon name="plus" />
          New group
        </a>
      </PageHead>
      <Shown loaded={groups}>
        {(all) => (
          <Rows
            rows={all.map(({ id, name, documentCount }) => ({
              id,
              href: `#/knowledge/${id}`,
              title: name,
              text: `${documentCount} ${documentCount === 1 ? 'document' : 'documents'}`,
              badges: [],
            }))}
            icon="book"
            empty="There is no knowledge yet. Make a group, add documents, and see what a question finds in them."
          />
        )}
      </Shown>
    </main>
  );
}
