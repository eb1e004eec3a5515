import { BlockedNotice } from '../../components/permission.tsx';
import { SelectField } from '../../components/fields.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { getSharedPersona, listOwnPersonas } from './share-api.ts';
import { ShareLinks } from './share-links.tsx';
import { WidgetEditor } from './widget-editor.tsx';
import { serviceUrl } from '../../api/service.ts';
import { Options } from '../../components/options.tsx';

/** How other people get to talk to a persona: by a link, or on a web site. @param personaId null: the first one. */
export function Share({ personaId }: { personaId: string | null }) {
  const personas = useLoaded('personas to share', listOwnPersonas);
  const chosen = personas.state === 'ready' ? (personaId ?? personas.value.data[0]?.id ?? null) : null;
  return (
    <main class="page">
      <header class="page-head">
        <div>
          <h1>Share</h1>
          <p>Give others a link to a persona, or put it on your web site.</p>
        </div>
        {personas.state === 'ready' && chosen !== null && (
          <div class="share-persona">
            <SelectField label="Persona" value={chosen} onChange={(id) => go(`#/share/${encodeURIComponent(id)}`)}>
              <Options of={personas.value.data.map(({ id, name }) => [id, name])} />
            </SelectField>
          </div>
        )}
      </header>
      <BlockedNotice />
      {personas.state === 'failed' && (
        <LoadFailed message={personas.message} error={personas.error} again={personas.again} />
      )}
      {personas.state === 'ready' && chosen === null && (
        <div class="empty card">
          <p>There is no persona of your own yet. Make one first; then you can share it.</p>
          <a class="button primary" href="#/personas/new">
            New persona
          </a>
        </div>
      )}
      {chosen !== null && <Shared key={chosen} personaId={chosen} />}
    </main>
  );
}

function Shared({ personaId }: { personaId: string }) {
  const shared = useLoaded(`shared persona ${personaId}`, () => getSharedPersona(personaId));
  return (
    <Shown loaded={shared}>
      {(persona) => (
        <div class="stack">
          <ShareLinks persona={persona} service={serviceUrl()} />
          <WidgetEditor persona={persona} service={serviceUrl()} />
        </div>
      )}
    </Shown>
  );
}
