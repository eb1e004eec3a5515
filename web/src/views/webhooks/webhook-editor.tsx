import { useState } from 'preact/hooks';
import { FailedWork } from '../../components/notice.tsx';
import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { SecretCard } from './secret-card.tsx';
import { getWebhook, renewSecret, type Webhook } from './webhook-api.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Of a webhook that was just made, until its page has shown it. */
let secretOfNew: { readonly id: string; readonly secret: string } | null = null;

/** @param id null makes a new one. */
export function WebhookEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => (id === null ? null : getWebhook(id)));
  const [secret, setSecret] = useState(secretOfNew?.id === id ? secretOfNew!.secret : null);
  function onSaved(webhook: Webhook, secret: string | null): void {
    if (secret === null) return go('#/webhooks');
    secretOfNew = { id: webhook.id, secret };
    go(`#/webhooks/${webhook.id}`);
  }
  return (
    <main class="page">
      <BackLink href="#/webhooks">All webhooks</BackLink>
      <Shown loaded={loaded}>
        {(webhook) => (
          <>
            <PageHead
              title={webhook === null ? 'New webhook' : (webhook.description ?? webhook.url)}
              text="Each event is signed, tried for a day, and sent with the same id each time."
            />
            <div class="columns">
              <div class="stack">
                {secret !== null && (
                  <SecretCard
                    secret={secret}
                    onDone={() => {
                      secretOfNew = null;
                      setSecret(null);
                    }}
                  />
                )}
                <WebhookForm webhook={webhook} onSaved={onSaved} onDeleted={() => go('#/webhooks')} />
                {webhook !== null && <NewSecret id={webhook.id} made={setSecret} />}
              </div>
              {webhook !== null && <DeliveryLog webhookId={webhook.id} />}
            </div>
          </>
        )}
      </Shown>
    </main>
  );
}

function NewSecret({ id, made }: { id: string; made: (secret: string) => void }) {
  const { work, run } = useWork();
  return (
    <section class="card padded stack">
      <div>
        <h2>A new secret</h2>
        <p class="muted small">For a day, events are signed with both, so that your program can change in peace.</p>
      </div>
      <FailedWork work={work} />
      <div class="row">
        <button
          class="button"
          type="button"
          disabled={work.state === 'running'}
          onClick={() => void run(async () => made((await renewSecret(id)).secret))}
        >
          Make a new secret
        </button>
      </div>
    </section>
  );
}
