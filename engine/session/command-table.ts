import type { SessionCommand, SessionCommandType } from '../../actors/commands.ts';

/** What each command does: one entry a command, so that a new one cannot be forgotten. */
export type CommandTable = {
  readonly [T in SessionCommandType]: (command: Extract<SessionCommand, { type: T }>) => void;
};

/** Runs a command. What a part of the engine throws is reported and goes no further: the session goes on. */
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
