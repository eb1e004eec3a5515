/** The service: `bash scripts/start.sh` ends here. Everything it can be told is in the environment. */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { needsGuard } from '../service/guard/needs-guard.ts';

const HELP = `Starts Parley: the HTTP API, the console and the engine. All are one process below four cores.

  bash scripts/start.sh                   starts, with what is on this machine
  bash scripts/start.sh --models          first fetches better local models (--models --help says which)
  bash scripts/start.sh --meetings        first installs Chromium, which takes personas into web meetings

Exit status: 0 stopped as asked, 1 could not start or stop, 2 the settings are wrong.

Settings are environment variables:

`;

if (wantsHelp()) {
  const { settingsHelp } = await import('../control/settings/settings.ts');
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

// A guard loads nothing of the service: it is to cost little.
const running = needsGuard(process.env)
  ? (await import('../service/guard/run-guard.ts')).runGuard()
  : (await import('../service/run-service.ts')).runService();
const stop = (signal: 'SIGTERM' | 'SIGINT'): void => running.stop({ signal }, 128 + constants.signals[signal]);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('SIGUSR2', () => running.drain());
