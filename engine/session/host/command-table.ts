import type { SessionCommand, SessionCommandType } from '../../../actors/commands.ts';

/** What each command does: one entry per command, so that a new command cannot be forgotten. */
export type CommandTable = {
  readonly [T in SessionCommandType]: (command: Extract<SessionCommand, { type: T }>) => void;
};

/** Runs a command. An exception of a part of the engine is reported and stops here: the session continues. */
export function performCommand(
  table: CommandTable,
  command: SessionCommand,
  failed: (command: SessionCommandType, error: unknown) => void,
): void {
  try {
    const perform = table[command.type] as (command: SessionCommand) => void;
    perform(command);
  } catch (error) {
    failed(command.type, error);
  }
}
