import { listPersonas } from '../../api/routes.ts';
import type { PersonaSummary } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { Picture } from '../../components/picture.tsx';
import { useLoaded } from '../../state/load.ts';
import { start } from '../../state/talk.ts';

/** Who to talk to. */
export function Gallery() {
  const personas = useLoaded('personas', listPersonas);
  return (
    <main class="page">
      <header class="page-head">
        <div>
          <h1>Who would you like to talk to?</h1>
          <p>Pick a persona and speak, or type if you would rather not use a microphone. Nothing leaves this server unless you connected it to other providers.</p>
        </div>
      </header>
      {personas.state === 'failed' && <LoadFailed message={personas.message} again={personas.again} />}
      {personas.state === 'loading' && <div class="gallery" aria-busy="true">{[0, 1, 2].map((key) => <div key={key} class="skeleton" style={{ height: '20rem' }} />)}</div>}
      {personas.state === 'ready' && (
        <ul class="gallery">
          {personas.value.data.map((persona) => <li key={persona.id} style={{ display: 'grid' }}><PersonaCard persona={persona} /></li>)}
          <li style={{ display: 'grid' }}>
            <a class="card persona-card new" href="#/personas/new"><Icon name="plus" />New persona</a>
          </li>
        </ul>
      )}
    </main>
  );
}

function PersonaCard({ persona }: { persona: PersonaSummary }) {
  return (
    <article class="card persona-card">
      <Picture avatar={persona.avatar} name={persona.name} />
      <div class="body">
        <h2>{persona.name}</h2>
        <p>{persona.description || [persona.voice?.displayName, persona.avatar?.displayName].filter(Boolean).join(' · ') || 'No description yet.'}</p>
      </div>
      <div class="actions">
        <button class="button primary" type="button" onClick={() => void start(persona, true)}><Icon name="mic" />Talk<span class="visually-hidden"> with {persona.name}</span></button>
        <button class="button" type="button" title="Type instead of speaking" aria-label={`Type with ${persona.name}`} onClick={() => void start(persona, false)}><Icon name="keyboard" /></button>
        {!persona.isDefaultPersona && <a class="button" href={`#/personas/${encodeURIComponent(persona.id)}`} title="Change" aria-label={`Change ${persona.name}`}><Icon name="pencil" /></a>}
      </div>
    </article>
  );
}
