/** `npm run replay LOG`: runs a recorded session through the same machines and says whether they decide the same. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SessionCommand } from '../actors/commands.ts';
import { replay, type Replayed } from '../actors/session/replay.ts';
import { BadLogError, decodeLog } from '../actors/recorder/session-log.ts';

const HELP = `Usage: npm run replay -- LOG [--decisions] [--content]

Replays the event log of a session on a simulated clock and compares every decision with the recorded ones.

  LOG          the log's file, one JSON text per line
  --decisions  list every decision with its time
  --content    show what was said too, not only the kinds of decisions
  --help       this text

Exit status: 0 the same decisions, 1 different ones, 2 the log could not be read.`;

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { decisions: { type: 'boolean' }, content: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [file] = positionals;
  if (values.help === true || file === undefined) {
    console.log(HELP);
    return values.help === true ? 0 : 2;
  }
  const started = performance.now();
  const log = decodeLog(textOf(file));
  const result = replay(log);
  if (values.decisions === true)
    for (const { at, command } of result.decisions)
      console.log(`${time(at)}  ${shown(command, values.content === true)}`);
  console.log(
    `${result.events} events, ${result.commands} recorded decisions, replayed in ${Math.round(performance.now() - started)} ms (written by version ${log.header.software}).`,
  );
  return verdict(result, values.content === true);
}

/** `message` says which file cannot be read, and why. */
class UnreadableError extends Error {}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code);
    throw new UnreadableError(`${file} cannot be read: ${why}. "npm run replay -- --help" says what it takes.`);
  }
}

function verdict({ difference }: Replayed, content: boolean): number {
  if (difference === null) {
    console.log('Every decision was the same.');
    return 0;
  }
  console.log(`Different at ${time(difference.at)}, after ${difference.after}:`);
  console.log(`  recorded: ${difference.recorded ?? 'nothing'}`);
  console.log(`  now:      ${difference.made === null ? 'nothing' : shown(difference.made, content)}`);
  return 1;
}

function shown(command: SessionCommand, content: boolean): string {
  if (content) return JSON.stringify(command);
  return command.type === 'message.send'
    ? `message.send ${command.message.messageType}`
    : command.type === 'report'
      ? `report ${command.entry.kind}`
      : command.type;
}

function time(ms: number): string {
  return `${(ms / 1000).toFixed(3).padStart(10)} s`;
}

try {
  process.exitCode = main();
} catch (error) {
  // Bad logs, missing files and unknown options are the user's to mend; the rest is ours and shows its stack.
  const expected =
    error instanceof BadLogError || error instanceof UnreadableError || (error instanceof Error && 'code' in error);
  process.stderr.write(
    `${expected && error instanceof Error ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 2;
}
