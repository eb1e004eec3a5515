import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { DocumentList } from './document-list.tsx';
import { deleteGroup, getGroup } from './knowledge-api.ts';
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
  const { work, run } = useWork();
  return (
    <main class="page">
      <BackLink href="#/knowledge">All knowledge</BackLink>
      <Shown loaded={group}>
        {({ name }) => (
          <>
            <PageHead title={name}>
              <button
                class="button"
                type="button"
                disabled={work.state === 'running'}
                onClick={() => {
                  if (confirm(`Delete ${name} and all of its documents? This cannot be undone.`))
                    void run(async () => {
                      await deleteGroup(id);
                      go('#/knowledge');
                    });
                }}
              >
                Delete group
              </button>
            </PageHead>
            {work.state === 'failed' && <p role="alert">{work.message}</p>}
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
