/** The service: `bash scripts/start.sh` ends here. Everything it can be told is in the environment. */
import { parseArgs } from 'node:util';
import pino from 'pino';
import { readSettings, SettingsError, settingsHelp } from '../control/index.ts';
import { openService } from './service/open-service.ts';
import { banner } from './service/banner.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: false });
if (values.help) {
  console.log(`Starts Parley: the HTTP API, the console and the engine in one process.\n\n  bash scripts/start.sh\n\nSettings are environment variables:\n\n${settingsHelp()}`);
  process.exit(0);
}

function settingsOrExit(): ReturnType<typeof readSettings> {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`${error.message}\nAll settings: bash scripts/start.sh --help`);
    process.exit(2);
  }
}

const settings = settingsOrExit();
const log = pino({ level: settings.PARLEY_LOG_LEVEL });
try {
  const service = await openService(settings, log);
  console.log(banner(settings, service));

  /** A second signal does not wait for the first one's goodbyes. */
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    // The WebRTC library's own cleanup can crash; leaving is enough.
    void service.close().then(() => process.exit(0), (error: unknown) => {
      log.error({ err: error }, 'the service did not stop cleanly');
      process.exit(1);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  log.fatal({ err: error }, 'the service could not start');
  process.exit(1);
}
