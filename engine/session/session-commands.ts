import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionSink } from '../ports.ts';
import type { CommandTable } from './command-table.ts';
import type { MindRunner } from './mind-runner.ts';
import type { SessionLine } from './session-line.ts';
import type { SessionMedia } from './session-media.ts';

/** The one table from what the actors ask for to who does it. */
export function sessionCommands(parts: {
  sessionId: string;
  media: SessionMedia;
  line: SessionLine;
  mind: MindRunner;
  runTool: (command: Extract<SessionCommand, { type: 'tool.run' }>) => void;
  sink: SessionSink;
  finish: (text: string | null) => void;
}): CommandTable {
  const { sessionId, media, line, mind, sink } = parts;
  const { connection, hearing, voice, face } = media;
  return {
    'message.send': ({ message }) => connection.sendMessage(JSON.stringify(message)),
    'signal.ready': () => line.ready(),
    'signal.warning': ({ text }) => line.warn(text),
    'signal.talkInterrupted': ({ correlationId }) => line.talkInterrupted(correlationId),
    'session.close': ({ text }) => parts.finish(text),

    'hearing.finish': () => hearing.finish(),
    'hearing.reset': () => hearing.reset(),
    'hearing.configure': ({ language, enhancementLevel }) => hearing.configure({ language, enhancementLevel }),
    'hearing.askEndOfTurn': () => hearing.askEndOfTurn(),

    'speech.say': ({ segmentId, text, language, pauseMs }) => voice.say({ segmentId, text, language, pauseMs }),
    'speech.duck': () => voice.duck(),
    'speech.unduck': () => voice.unduck(),
    'speech.cut': () => voice.cut(),
    'speech.configure': ({ tuning }) => voice.configure(tuning),

    'face.show': ({ mood }) => face.show(mood),
    'face.cue': ({ tag }) => face.cue(tag),

    'mind.ask': (command) => mind.ask(command),
    'mind.cancel': ({ requestId }) => mind.cancel(requestId),
    'tool.run': (command) => parts.runTool(command),

    report: ({ entry }) => sink.entry(sessionId, entry),
  };
}
