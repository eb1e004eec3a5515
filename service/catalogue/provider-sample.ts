import { download, DownloadError, type Fetch } from '../../engine/index.ts';
import { limitFetch } from '../../models/http/limit-fetch.ts';
import type { VoiceAccount } from '../../models/tts/account/voice-account.ts';

/** A sample of ten seconds has 500 kB as WAV. */
const LIMITS = { maxBytes: 5 * 1024 * 1024, timeoutMs: 20_000 };

/**
 * Reads the recording of a voice from the address that its service told. The service itself may be on this machine, and
 * gets its key. Any other server has to be public, and gets none.
 * @param publicFetch reaches only public hosts. @throws DownloadError
 */
export async function readProviderSample(
  address: string,
  account: Pick<VoiceAccount, 'origin' | 'sampleHeaders'>,
  publicFetch: Fetch,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = URL.parse(address);
  if (url === null) throw new DownloadError('its address is not a URL');
  let target = url.href;
  if (url.origin === account.origin) {
    const limited = limitFetch(globalThis.fetch, {
      bodyBytes: LIMITS.maxBytes,
      unit: null,
      wholeMs: LIMITS.timeoutMs,
    });
    const answer = await limited(url, { headers: account.sampleHeaders, redirect: 'manual', signal });
    if (answer.ok) return answer.bytes();
    await answer.body?.cancel();
    const elsewhere = answer.headers.get('location');
    if (elsewhere === null) throw new DownloadError(`its server answered with status ${answer.status}`);
    target = new URL(elsewhere, url).href;
  }
  return (await download(publicFetch, target, LIMITS)).bytes;
}
