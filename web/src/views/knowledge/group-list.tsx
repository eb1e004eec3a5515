import { ListPage } from '../../components/list-page.tsx';
import { useLoaded } from '../../state/load.ts';
import { listGroups } from './knowledge-api.ts';

export function GroupList() {
  const groups = useLoaded('groups', listGroups);
  return (
    <ListPage
      title="Knowledge"
      text="Groups of documents. A tool of the kind Knowledge searches them for a persona."
      icon="book"
      make={{ label: 'New group', href: '#/knowledge/new' }}
      loaded={groups}
      rows={(all) =>
        all.map(({ id, name, documentCount }) => ({
          id,
          href: `#/knowledge/${id}`,
          title: name,
          text: `${documentCount} ${documentCount === 1 ? 'document' : 'documents'}`,
          badges: [],
        }))
      }
      empty="There is no knowledge yet. Make a group, add documents, and see what a question finds in them."
    />
  );
}
