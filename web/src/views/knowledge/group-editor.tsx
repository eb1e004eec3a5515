import { ChangeButton } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { DocumentList } from './document-list.tsx';
import { getGroup } from './knowledge-api.ts';
import { NewGroupForm } from './new-group-form.tsx';
import { SearchPreview } from './search-preview.tsx';

export function NewGroup() {
  return (
    <main class="page narrow">
      <BackLink href="#/knowledge">All knowledge</BackLink>
      <PageHead title="New group" text="Documents that belong together, for example those of one product." />
      <NewGroupForm class="card padded stack" cancel="#/knowledge" onCreated={({ id }) => go(`#/knowledge/${id}`)} />
    </main>
  );
}

/** Documents of a group, and what a question finds in them. */
export function GroupEditor({ id }: { id: string }) {
  const group = useLoaded(id, () => getGroup(id));
  const [asksToDelete, setAsksToDelete] = useState(false);
  return (
    <main class="page">
      <BackLink href="#/knowledge">All knowledge</BackLink>
      <Shown loaded={group}>
        {({ name }) => (
          <>
            <PageHead title={name}>
              <ChangeButton class="button" onClick={() => setAsksToDelete(true)}>
                Delete group
              </ChangeButton>
            </PageHead>
            {asksToDelete && (
              <DeleteDialog
                name={name}
                path={`/v1/knowledge/groups/${id}`}
                text="Its documents are deleted, too. This cannot be undone."
                onClose={() => setAsksToDelete(false)}
                onDeleted={() => go('#/knowledge')}
              />
            )}
            <div class="columns">
              <DocumentList groupId={id} />
              <SearchPreview groupId={id} />
            </div>
          </>
        )}
      </Shown>
    </main>
  );
}
