import { ChangeButton } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { confirm } from '../../state/confirm.ts';
import { useWork } from '../../state/work.ts';
import { moment } from '../sessions/wording.ts';
import { type ApiKey, listApiKeys, revokeApiKey } from './api-key-api.ts';
import { ClientPackages } from './client-packages.tsx';
import { NewKeyForm } from './new-key-form.tsx';

/** Keys of the organization: made, shown once, revoked. */
export function ApiKeys() {
  const keys = useLoaded('api keys', listApiKeys);
  const [made, setMade] = useState<{ readonly name: string; readonly key: string } | null>(null);
  return (
    <main class="page">
      <PageHead
        title="API keys"
        text="What programs use to reach this service. Give each one its own, with what it needs."
      />
      <Shown loaded={keys}>
        {({ data, grantableScopes, defaultScopes }) => (
          <div class="columns">
            <div class="stack">
              {made !== null && (
                <section class="card padded stack" aria-live="polite">
                  <div>
                    <h2>The key of {made.name}</h2>
                    <p class="muted small">Copy it now: it is stored nowhere and not shown again.</p>
                  </div>
                  <code class="output secret">{made.key}</code>
                  <div class="row">
                    <CopyButton text={made.key}>Copy the key</CopyButton>
                    <button class="button quiet" type="button" onClick={() => setMade(null)}>
                      Done
                    </button>
                  </div>
                </section>
              )}
              <NewKeyForm
                scopes={grantableScopes}
                usual={defaultScopes}
                made={(key) => {
                  setMade(key);
                  keys.again();
                }}
              />
            </div>
            <div class="stack">
              <ul class="card rows" aria-label="Keys">
                {data.map((key) => (
                  <KeyRow key={key.id} apiKey={key} onChanged={keys.again} />
                ))}
              </ul>
              <ClientPackages />
            </div>
          </div>
        )}
      </Shown>
    </main>
  );
}

function KeyRow({ apiKey: key, onChanged }: { apiKey: ApiKey; onChanged: () => void }) {
  const { work, run } = useWork();
  function onRevoke(): void {
    void run(async () => {
      const text = 'Programs that use it, and session tokens that it issued, stop working. This cannot be undone.';
      if (!(await confirm({ title: `Revoke ${key.name}?`, text, yes: 'Revoke' }))) return;
      await revokeApiKey(key.id, true);
      onChanged();
    });
  }
  return (
    <li class="row-line">
      <span class="what">
        <strong>{key.name}</strong>
        <span class="muted small" title={key.scopes.join(', ')}>
          {key.lastUsedAt === null ? 'Never used' : `Used ${moment(key.lastUsedAt)}`} · {key.scopes.join(', ')}
        </span>
      </span>
      {key.isThisKey && <span class="badge">This browser</span>}
      {key.revokedAt === null ? (
        <ChangeButton
          class="button"
          disabled={key.isThisKey || work.state === 'running'}
          title={key.isThisKey ? 'The console uses it: revoke it with another key.' : undefined}
          onClick={onRevoke}
        >
          Revoke<span class="visually-hidden"> {key.name}</span>
        </ChangeButton>
      ) : (
        <span class="badge bad">Revoked</span>
      )}
      <FailedWork work={work} />
    </li>
  );
}
