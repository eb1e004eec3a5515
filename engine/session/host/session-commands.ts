import type { SessionCommand } from '../../../actors/commands.ts';
import type { EndReason } from '../../../actors/report.ts';
import type { SessionSink } from '../../ports.ts';
import type { CommandTable } from './command-table.ts';
import type { LlmRunner } from './llm-runner.ts';
import type { SessionSignaling } from './session-signaling.ts';
import type { SessionMedia } from './session-media.ts';

/** Which part of the engine carries out each command of the actors. */
export function sessionCommands(parts: {
  sessionId: string;
  media: SessionMedia;
  signaling: SessionSignaling;
  llm: LlmRunner;
  /** @returns whether speech of another process was cut, which this engine does not play. */
  cutLostSpeech: () => boolean;
  /** @returns whether the utterance was lost with another process: it has failed then. */
  failLostUtterance: () => boolean;
  /** A message was handed to the client. */
  messageSent: () => void;
  runTool: (command: Extract<SessionCommand, { type: 'tool.run' }>) => void;
  sink: SessionSink;
  warn: (code: string, text: string) => void;
  finish: (reason: EndReason, text: string | null) => void;
}): CommandTable {
  const { sessionId, media, signaling, llm, sink } = parts;
  const { connection, audioIn, audioOut, face } = media;
  return {
    'message.send': ({ message }) => {
      connection.sendMessage(JSON.stringify(message));
      parts.messageSent();
    },
    'signal.ready': () => signaling.ready(),
    'signal.warning': ({ code, text }) => parts.warn(code, text),
    'signal.talkInterrupted': ({ correlationId }) => signaling.talkInterrupted(correlationId),
    'session.close': ({ reason, text }) => parts.finish(reason, text),

    'stt.finish': () => {
      if (!parts.failLostUtterance()) audioIn.finish();
    },
    'stt.reset': () => audioIn.reset(),
    'audioIn.configure': ({ language, enhancementLevel }) => audioIn.configure({ language, enhancementLevel }),
    'endOfTurn.predict': () => audioIn.askEndOfTurn(),

    'speech.say': (command) => audioOut.say(command),
    'speech.prepare': ({ text, language }) => audioOut.prepare({ text, language }),
    'speech.duck': () => audioOut.duck(),
    'speech.unduck': () => audioOut.unduck(),
    'speech.cut': () => {
      if (!parts.cutLostSpeech()) audioOut.cut();
    },
    'speech.configure': ({ tuning }) => audioOut.configure(tuning),

    'face.show': ({ mood }) => face.show(mood),
    'face.cue': ({ tag }) => face.cue(tag),

    'llm.request': (command) => llm.ask(command),
    'llm.cancel': ({ requestId }) => llm.cancel(requestId),
    'tool.run': (command) => parts.runTool(command),

    report: ({ entry }) => sink.entry(sessionId, entry),
  };
}
