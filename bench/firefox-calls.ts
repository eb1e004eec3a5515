/**
 * Calls of Firefox over a slow network: how many live through their time, with each sentence answered and the client
 * never taken for silent, and how long the connection takes once there is a path. Needs root and Debian's firefox-esr.
 *
 * With `PARLEY_TEST_FIREFOX_H264`, the folder of Cisco's plugin, Firefox has H.264.
 *
 *   node bench/firefox-calls.ts [CALLS] [DELAY_MS,…] [TOGETHER]      default: 20 calls, 20, 40 and 60 ms each way, 2 at a time
 */
import { launchFirefox, type TestFirefox } from '../e2e/support/firefox.ts';
import { call, type CallPlace } from '../e2e/support/firefox-call.ts';
import { serveSdkPage, type SdkPage } from '../e2e/support/sdk-page.ts';
import { recordings } from '../models/testing/speech/recordings.ts';
import { startKnownRecordingsStt } from '../e2e/support/known-recordings-stt.ts';
import { startService, type RunningService } from '../e2e/support/service.ts';
import { openSlowNetwork } from '../e2e/support/slow-network.ts';

const CALL_MS = 20_000;
const PLACES: readonly CallPlace[] = [
  'a page with the client',
  'a share page',
  'a web site with the widget',
  'the console',
];
const [calls = '20', delays = '20,40,60', together = '2'] = process.argv.slice(2);

interface Outcome {
  readonly place: CallPlace;
  readonly connectedAfterMs: number | null;
  readonly codec: string | null;
  readonly said: number;
  readonly answered: number;
  readonly silences: number;
  readonly failure: string | null;
}

async function oneCall(
  place: CallPlace,
  firefox: TestFirefox,
  service: RunningService,
  client: SdkPage,
): Promise<Outcome> {
  const nothing = { place, connectedAfterMs: null, codec: null, said: 0, answered: 0, silences: 0 };
  try {
    const conversation = await call(place, firefox, service, client);
    const { connectedAfterMs, codec } = await conversation.media();
    const { said, answered } = await conversation.converse(CALL_MS);
    const { silences } = await conversation.end();
    return { place, connectedAfterMs, codec, said, answered, silences, failure: null };
  } catch (error) {
    return { ...nothing, failure: String((error as Error).cause ?? (error as Error).message) };
  }
}

for (const delayMs of delays.split(',').map(Number)) {
  const network = await openSlowNetwork(delayMs);
  // The offline recognizer needs a core, and hears nothing in some of the sentences.
  const stt = await startKnownRecordingsStt(recordings(), network.ownAddress);
  const service = await startService({
    host: network.address,
    namespace: network.namespace,
    readyWithinMs: 150_000,
    env: { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: stt.url },
  });
  const firefox = await launchFirefox({ secure: [network.address] });
  const client = await serveSdkPage('127.0.0.1', 'parley');
  const outcomes: Outcome[] = [];
  try {
    let begun = 0;
    const oneAfterTheOther = async (): Promise<void> => {
      while (begun < Number(calls)) {
        const place = PLACES[begun++ % PLACES.length]!;
        const outcome = await oneCall(place, firefox, service, client);
        outcomes.push(outcome);
        console.log(`${delayMs} ms`, JSON.stringify(outcome));
      }
    };
    await Promise.all(Array.from({ length: Number(together) }, oneAfterTheOther));
  } finally {
    await firefox.close();
    await client.close();
    await service.stop();
    await stt.close();
    await network.close();
  }
  const whole = outcomes.filter(
    ({ failure, said, answered, silences }) => failure === null && said === answered && silences === 0,
  );
  const waits = outcomes
    .flatMap(({ connectedAfterMs }) => (connectedAfterMs === null ? [] : [connectedAfterMs]))
    .toSorted((a, b) => a - b);
  console.log(
    `${delayMs} ms each way: ${whole.length} of ${outcomes.length} calls live through ${CALL_MS / 1_000} s, ` +
      `${outcomes.reduce((sum, { answered }) => sum + answered, 0)} sentences answered; path to connection ` +
      `median ${Math.round(waits[waits.length >> 1] ?? NaN)} ms, longest ${Math.round(waits.at(-1) ?? NaN)} ms`,
  );
}
process.exit(0);
