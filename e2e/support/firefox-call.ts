import { wavFile } from '../../models/stt/wav.ts';
import { recordings } from '../../models/testing/speech/recordings.ts';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { ada } from './ada.ts';
import type { FirefoxMedia, FirefoxPage, RelayProtocol, TestFirefox } from './firefox.ts';
import { serveCrossOriginSite } from './cross-origin-site.ts';
import type { SdkPage } from './sdk-page.ts';
import type { RunningService } from './service.ts';

/** What a call needs of its service. */
type CalledService = Pick<RunningService, 'url' | 'apiKey' | 'api'>;

/** Where somebody with Firefox talks with a persona. */
export type CallPlace = 'a page with the client' | 'a share page' | 'a web site with the widget' | 'the console';

export interface FirefoxCall {
  readonly sessionId: string;
  readonly firefox: FirefoxPage;
  media(): Promise<FirefoxMedia>;
  /**
   * People's sentences, one after the other, each after the answer to the one before. @returns how many were answered.
   */
  converse(forMs: number): Promise<{ readonly said: number; readonly answered: number }>;
  /** Ends it, and closes its window. @returns how often the service took the client for silent. */
  end(): Promise<{ readonly silences: number }>;
}

/** Short enough that three of them are said and answered in 20 s. */
export const SAID = ['cards-003', 'librivox-0880', 'librivox-0930'].map((name) =>
  recordings().find((one) => one.name === name)!,
);
/** Around each of them, 16 kHz: a busy Firefox needs a moment to change between its microphone and a recording. */
export const PAUSE = new Int16Array(0.5 * 16_000);
const POLL_MS = 200;

/**
 * Begins a conversation as a visitor does. @param client a page with `@parley/client`. @param relayOver how a TURN
 * server is reached. @defaultValue as the browser likes
 */
export async function call(
  place: CallPlace,
  firefox: TestFirefox,
  service: CalledService,
  client: SdkPage,
  relayOver?: RelayProtocol,
): Promise<FirefoxCall> {
  const { opened, sessionId, leave } = await firefox.inTurn(async () =>
    begin(place, await firefox.open(relayOver), service, client),
  );
  const answers = async (): Promise<number> =>
    (
      await service.api<{ messages: { role: string }[] }>('GET', `/v1/sessions/${sessionId}/transcript`)
    ).messages.filter(({ role }) => role === 'persona').length;
  const media = (): Promise<FirefoxMedia> =>
    eventually(`media on ${place}`, async () => {
      const now = await opened.media();
      return now?.connectedAfterMs == null || now.framesDecoded === 0 ? null : now;
    });
  return {
    sessionId,
    firefox: opened,
    media,
    async converse(forMs) {
      await media();
      const until = performance.now() + forMs;
      await eventually('the greeting', async () => ((await answers()) > 0 ? true : null));
      let [said, answered] = [0, 0];
      do {
        const { name, pcm } = SAID[said % SAID.length]!;
        const before = await answers();
        await opened.speak(wavFile([PAUSE, pcm, PAUSE], 16_000));
        said += 1;
        await eventually(`an answer to ${name}`, async () => ((await answers()) > before ? true : null));
        answered += 1;
      } while (performance.now() < until);
      return { said, answered };
    },
    async end() {
      await service.api('POST', `/v1/sessions/${sessionId}/stop`);
      await leave();
      const log = await eventually('the log of the session', async () => {
        const headers = { authorization: `Bearer ${service.apiKey}` };
        const response = await fetch(`${service.url}/v1/sessions/${sessionId}/log`, { headers });
        const text = await response.text();
        return response.ok && text.includes('"peer.path"') ? text : null;
      });
      return { silences: log.split('"peer.quiet"').length - 1 };
    },
  };
}

interface Begun {
  readonly opened: FirefoxPage;
  readonly sessionId: string;
  leave(): Promise<void>;
}

async function begin(place: CallPlace, opened: FirefoxPage, service: CalledService, client: SdkPage): Promise<Begun> {
  const personaConfig = await ada(service);
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
  const { id: personaId } = await service.api<{ id: string }>('POST', '/v1/personas', { ...personaConfig, name });
  const { page } = opened;
  let closeSite = async (): Promise<void> => {};
  switch (place) {
    case 'a page with the client': {
      const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
        personaConfig: { personaId },
      });
      await page.goto(client.url);
      await page.evaluate(
        ([token, url]) => globalThis.connect(token!, url!).then(() => undefined),
        [sessionToken, service.url],
      );
      break;
    }
    case 'a share page': {
      const { token } = await service.api<{ token: string }>('POST', '/v1/share-links', { personaId });
      await page.goto(`${service.url}/s/${token}`);
      await opened.click('Start talking');
      break;
    }
    case 'a web site with the widget': {
      const fields = { personaId, allowAllOrigins: true };
      const { token } = await service.api<{ token: string }>('POST', '/v1/share-links', fields);
      const script = `<script src="${service.url}/widget.js" data-share="${token}"></script>`;
      const shop = await serveCrossOriginSite('localhost', `<main><h1>A shop</h1></main>${script}`);
      closeSite = () => shop.close();
      await page.goto(shop.origin);
      await opened.click('Start talking');
      break;
    }
    case 'the console':
      await page.goto(`${service.url}/#key=${service.apiKey}`);
      await opened.click(`Talk with ${name}`);
  }
  const sessionId = await eventually(`a session on ${place}`, async () => {
    const { data } = await service.api<{ data: { id: string }[] }>('GET', `/v1/sessions?personaId=${personaId}`);
    return data[0]?.id ?? null;
  });
  const leave = async (): Promise<void> => {
    await page.close();
    await closeSite();
  };
  return { opened, sessionId, leave };
}

async function eventually<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + TEST_TIMEOUT_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`Firefox waited ${TEST_TIMEOUT_MS} ms for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
