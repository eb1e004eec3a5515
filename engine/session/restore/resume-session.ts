import type { SessionCommand } from '../../../actors/commands.ts';
import type { SessionEvent } from '../../../actors/events.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';
import { TOOL_RESULT_UNKNOWN } from '../../../actors/session/outstanding-work.ts';
import type { LostWords } from './lost-words.ts';
import type { ReplayedSession } from './replay-journal.ts';

type ToolRun = Extract<SessionCommand, { type: 'tool.run' }>;

/** What died with the other process is answered; then time goes on. */
export function resumeSession(
  { outstanding, endedAt, state, clock }: ReplayedSession,
  parts: {
    readonly config: Pick<SessionConfig, 'recordingEnabled' | 'tools'>;
    /** Engine time. */
    readonly startedAt: number;
    readonly lost: LostWords;
    readonly carryOut: (command: SessionCommand) => void;
    readonly dispatch: (event: SessionEvent) => void;
    readonly runTool: (call: ToolRun) => Promise<void>;
    readonly warn: (code: string, text: string) => void;
  },
): void {
  const { config, startedAt, lost, carryOut, dispatch, runTool, warn } = parts;
  for (const command of outstanding.settings()) carryOut(command);
  const failures = outstanding.failures();
  const running = outstanding.tools();
  const cut = outstanding.cutAt(endedAt);
  lost.played(cut);
  if (outstanding.isCutAwaited) dispatch(cut);
  dispatch({
    type: 'session.takenOver',
    ...(state?.connection.flowing === true && { arrivedUpTo: endedAt }),
  });
  lost.playedOn();
  clock.resume(startedAt);
  for (const event of failures) dispatch(event);
  for (const call of running) {
    const kind = config.tools.find(({ name }) => name === call.toolName)?.kind;
    if (kind === 'rag') void runTool(call);
    else dispatch({ type: 'tool.failed', callId: call.callId, message: TOOL_RESULT_UNKNOWN });
  }
  if (config.recordingEnabled) warn('recording_ended', 'The recording has ended: the service went on elsewhere.');
}
