/** The service: `bash scripts/start.sh` ends here. Everything it can be told is in the environment. */
import { flushCompileCache } from 'node:module';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { keepFilesPrivate, readSettings, SettingsError, settingsHelp } from '../control/index.ts';
import { openService, type OpenService } from './service/open-service.ts';
import { banner } from './service/banner.ts';
import { leave } from './service/leave.ts';
import { openLog } from './service/log.ts';
import { startProblem } from './service/start-problem.ts';

const HELP = `Starts Parley: the HTTP API, the console and the engine. All are one process below four cores.

  bash scripts/start.sh                   starts, with what is on this machine
  bash scripts/start.sh --models          first fetches better local models (--models --help says which)
  bash scripts/start.sh --meetings        first installs Chromium, which takes personas into web meetings

Exit status: 0 stopped as asked, 1 could not start or stop, 2 the settings are wrong.

Settings are environment variables:

`;

if (wantsHelp()) {
  console.log(HELP + settingsHelp());
  process.exit(0);
}

function wantsHelp(): boolean {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }).values.help === true;
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message.split('. ')[0] : String(error)}. Settings are environment variables: bash scripts/start.sh --help`,
    );
    process.exit(2);
  }
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

keepFilesPrivate();
const settings = settingsOrExit();
const log = openLog(settings.PARLEY_LOG_LEVEL);

/** A second signal does not wait for the first one's goodbyes. */
let stopping = false;
const stop = (signal: 'SIGTERM' | 'SIGINT'): void => {
  if (stopping) leave(128 + constants.signals[signal]);
  stopping = true;
  log.info({ signal }, 'stopping');
  void running
    .then((service) => service.close())
    .then(
      () => leave(0),
      (error: unknown) => {
        log.error({ err: error }, 'the service did not stop cleanly');
        leave(1);
      },
    );
};

/** Conversations go on until they are over: `scripts/drain.ts` waits for that. */
const drain = (): void => {
  log.info('no further session is taken');
  void running
    .then((service) => service.drain())
    .catch((error: unknown) => log.error({ err: error }, 'other processes could not be told'));
};

async function start(): Promise<OpenService> {
  try {
    const service = await openService(settings, log, startAgain);
    console.log(banner(settings, service));
    service.faces.start(console.log);
    return service;
  } catch (error) {
    const problem = startProblem(error, settings);
    if (problem === null) log.fatal({ err: error }, 'the service could not start');
    else console.error(`Parley could not start. ${problem}`);
    return leave(1);
  }
}

/** Models are found and measured at the start, and everybody is offered the same: so new ones need another start. */
function startAgain(): void {
  if (stopping) return;
  log.info('starting again with the models that were fetched');
  running = running
    .then((service) => service.close())
    .then(start, (error: unknown) => {
      log.fatal({ err: error }, 'the service did not stop cleanly');
      return leave(1);
    });
}

let running = start();
await running;
// Node keeps it at a normal exit only; services end by a signal.
flushCompileCache();
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('SIGUSR2', drain);
