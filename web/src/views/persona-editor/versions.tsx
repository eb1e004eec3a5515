import { ChangeButton } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import type { Persona } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { useWork } from '../../state/work.ts';
import { moment } from '../sessions/wording.ts';
import { DiffView } from './diff-view.tsx';
import { getDraft, getVersion, listVersions, rollBack, type Version } from './draft-api.ts';
import { Figures } from './version-figures.tsx';
import type { Choices } from './persona-draft.ts';

const ORIGINS: Readonly<Record<Version['origin'], string>> = {
  api: 'saved through the API',
  draft: 'published',
  rollback: 'rolled back',
};

/** What was live when, compared with what is live, and the way back. */
export function Versions(props: { persona: Persona; choices: Choices; onLive: (text: string) => Promise<void> }) {
  const { persona, choices } = props;
  const [page, setPage] = useState(1);
  const [looked, setLooked] = useState<Version | null>(null);
  const versions = useLoaded(`${persona.id} ${persona.version} ${page}`, () => listVersions(persona.id, page));
  return (
    <>
      <p class="muted">
        Each change that goes live is a version. A conversation keeps the version that it began with, and its record
        names it.
      </p>
      <Shown loaded={versions}>
        {({ data, meta }) => (
          <>
            <ol class="card rows versions">
              {data.map((version) => (
                <VersionRow key={version.number} version={version} onCompare={() => setLooked(version)} />
              ))}
            </ol>
            {meta.lastPage > 1 && (
              <nav class="pager" aria-label="Pages">
                <button class="button" type="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                  Newer
                </button>
                <span class="number">
                  {page} of {meta.lastPage}
                </span>
                <button class="button" type="button" disabled={page >= meta.lastPage} onClick={() => setPage(page + 1)}>
                  Older
                </button>
              </nav>
            )}
          </>
        )}
      </Shown>
      <Figures personaId={persona.id} />
      {looked !== null && (
        <RollBack
          persona={persona}
          version={looked}
          choices={choices}
          onClose={() => setLooked(null)}
          onDone={async (now) => {
            setLooked(null);
            await props.onLive(`Version ${now.version} is live, as version ${looked.number} was.`);
          }}
        />
      )}
    </>
  );
}

function VersionRow({ version, onCompare }: { version: Version; onCompare: () => void }) {
  return (
    <li class="row-line">
      <span class="what">
        <strong>Version {version.number}</strong>
        {version.note !== '' && <span>{version.note}</span>}
        <span class="muted small">
          {moment(version.createdAt)} · {version.number === 1 ? 'created' : ORIGINS[version.origin]}
          {whoText(version)}
        </span>
      </span>
      {version.isLive ? (
        <span class="badge good">Live</span>
      ) : (
        <button class="button" type="button" onClick={onCompare}>
          Compare<span class="visually-hidden"> version {version.number} with what is live</span>
        </button>
      )}
    </li>
  );
}

/** " by Ada Lovelace". */
function whoText({ publishedBy }: Version): string {
  if (publishedBy === null) return '';
  if (publishedBy.kind === 'user') return ` by ${publishedBy.name ?? 'somebody who is gone'}`;
  return ` with the API key “${publishedBy.name ?? 'deleted'}”`;
}

function RollBack(props: {
  persona: Persona;
  version: Version;
  choices: Choices;
  onClose: () => void;
  onDone: (now: Persona) => Promise<void>;
}) {
  const { persona, version, choices } = props;
  const { work, run } = useWork();
  const contents = useLoaded(`${persona.id} ${version.number}`, async () => {
    const [{ live }, old] = await Promise.all([getDraft(persona.id), getVersion(persona.id, version.number)]);
    return { live, old: old.content };
  });
  return (
    <Dialog title={`From version ${persona.version} back to ${version.number}`} onClose={props.onClose}>
      <div class="stack">
        <p class="muted">This is what would change. It goes live as a version of its own; a draft stays a draft.</p>
        <Shown loaded={contents}>{({ live, old }) => <DiffView before={live} after={old} choices={choices} />}</Shown>
        <FailedWork work={work} />
        <div class="row end">
          <button class="button quiet" type="button" onClick={props.onClose}>
            Cancel
          </button>
          <ChangeButton
            class="button primary"
            disabled={work.state === 'running' || contents.state !== 'ready'}
            onClick={() => void run(async () => props.onDone(await rollBack(persona.id, version.number, '')))}
          >
            {work.state === 'running' ? 'One moment…' : 'Roll back'}
          </ChangeButton>
        </div>
      </div>
    </Dialog>
  );
}
