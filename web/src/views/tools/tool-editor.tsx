import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { getTool, listGroups } from './tool-api.ts';
import { ToolForm } from './tool-form.tsx';
import { ToolTest } from './tool-test.tsx';

/** @param id null makes a new one. */
export function ToolEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => {
    const [tool, groups] = await Promise.all([id === null ? null : getTool(id), listGroups()]);
    return { tool, groups };
  });
  return (
    <main class="page">
      <BackLink href="#/tools">All tools</BackLink>
      <Shown loaded={loaded}>
        {({ tool, groups }) => (
          <>
            <PageHead title={tool?.name ?? 'New tool'} text={tool?.description ?? 'Something that personas can do.'} />
            <div class="columns">
              <ToolForm
                key={tool?.updatedAt}
                tool={tool}
                groups={groups}
                cancel="#/tools"
                onSaved={({ id: made }) => (tool === null ? go(`#/tools/${made}`) : loaded.again())}
                onDeleted={() => go('#/tools')}
              />
              {tool !== null && tool.unreadable !== true && tool.type.startsWith('SERVER_') ? (
                <ToolTest key={tool.updatedAt} tool={tool} />
              ) : (
                <p class="muted small">
                  {tool === null
                    ? 'Once it is created, a tool that runs on the server can be tested here.'
                    : 'This tool runs only in a conversation.'}
                </p>
              )}
            </div>
          </>
        )}
      </Shown>
    </main>
  );
}
