import { ChangeButton } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { sharesText } from './version-shares.tsx';
import { embedCode } from './embed-code.ts';
import { expiryText, linkAddress, linkState, usesText } from './link-wording.ts';
import { QrCode } from './qr-code.tsx';
import type { ShareLink } from './share-api.ts';

interface LinkRowProps {
  readonly link: ShareLink;
  /** Address of this service. */
  readonly service: string;
  readonly setEnabled: (enabled: boolean) => void;
  readonly remove: () => void;
}

export function LinkRow({ link, service, setEnabled, remove }: LinkRowProps) {
  const [showsQr, setShowsQr] = useState(false);
  const [asks, setAsks] = useState(false);
  const address = linkAddress(link, service);
  const state = linkState(link, Date.now());
  const isForSites = link.allowAllOrigins || link.allowedOrigins.length > 0;
  const values = Object.entries(link.variableValues)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
  return (
    <li class="share-link">
      <div class="about">
        <a href={address} target="_blank" rel="noreferrer">
          {address.replace(/^https?:\/\//, '')}
        </a>
        <span class={`badge ${state.tone}`}>{state.text}</span>
        <p class="small muted">
          {usesText(link)}, {expiryText(link.expiresAt)}
          {link.versions !== null && <>; {sharesText(link.versions)}</>}
          {values !== '' && <>; {values}</>}
          {isForSites && <>; on {link.allowAllOrigins ? 'any web site' : link.allowedOrigins.join(', ')}</>}
        </p>
      </div>
      <div class="row">
        <CopyButton text={address}>Copy link</CopyButton>
        {isForSites && (
          <CopyButton text={embedCode({ service, source: { kind: 'share', token: link.token }, layout: 'floating' })}>
            Copy code
          </CopyButton>
        )}
        <button class="button" type="button" aria-expanded={showsQr} onClick={() => setShowsQr(!showsQr)}>
          QR code
        </button>
        <ChangeButton class="button" onClick={() => setEnabled(!link.enabled)}>
          {link.enabled ? 'Withdraw' : 'Allow again'}
        </ChangeButton>
        {asks ? (
          <button class="button danger" type="button" onClick={remove}>
            Delete it and end its conversations
          </button>
        ) : (
          <ChangeButton class="button quiet" onClick={() => setAsks(true)}>
            Delete…
          </ChangeButton>
        )}
      </div>
      {showsQr && <QrCode text={address} label={`QR code of ${address}`} />}
    </li>
  );
}
