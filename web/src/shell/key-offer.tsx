import type { OrganizationResponse } from '../../../control/api/organization/organization-schema.ts';
import { ApiError, request } from '../api/client.ts';
import { Dialog } from '../components/dialog.tsx';
import { apiKey, isSignIn, offeredKey, setApiKey } from '../state/key.ts';
import { useLoaded } from '../state/load.ts';

/** The address brought another API key than the one in use. Who only followed a link goes on as before. */
export function KeyOffer() {
  const offered = offeredKey.value;
  return offered === null ? null : <Question key={offered} offered={offered} />;
}

function Question({ offered }: { offered: string }) {
  const close = (): void => void (offeredKey.value = null);
  const use = (): void => {
    setApiKey(offered);
    close();
    // What is shown and typed belongs to the other organization.
    location.reload();
  };
  const names = useLoaded(offered, async () => {
    const [own, other] = await Promise.all([nameOf(apiKey.value), nameOf(offered)]);
    // The kept key is of no use: its database is gone, or it was revoked.
    if (own === null) use();
    return [own ?? UNNAMED, other ?? UNNAMED];
  });
  const [own, other] = names.state === 'ready' ? names.value : ['…', '…'];
  return (
    <Dialog title="Use another API key?" onClose={close}>
      <div class="stack">
        <p>
          The address that you opened brings an API key of <strong>{other}</strong>. This browser{' '}
          {isSignIn(apiKey.value) ? 'is signed in to' : 'uses one of'} <strong>{own}</strong>.
        </p>
        <p class="muted small">What you save from then on, secrets too, goes to the organization of the key.</p>
        <div class="row">
          <button class="button primary" type="button" onClick={close}>
            Keep mine
          </button>
          <button class="button" type="button" onClick={use}>
            Use the other key
          </button>
        </div>
      </div>
    </Dialog>
  );
}

const UNNAMED = 'an organization that does not tell its name';

/** @returns null when the service does not accept the key. */
async function nameOf(key: string | null): Promise<string | null> {
  try {
    return (await request<OrganizationResponse>('GET', '/v1/organization', undefined, key)).name;
  } catch (error) {
    return error instanceof ApiError && error.status === 401 ? null : UNNAMED;
  }
}
