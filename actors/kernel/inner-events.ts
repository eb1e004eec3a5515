import type { EndReason } from '../report.ts';
import type { SessionEvent } from '../events.ts';

/**
 * What the actors of one session tell each other. Each is told to all of them, after what is being handled now, in
 * the order of telling; an actor reacts to what concerns it. Times are ms on the session's clock.
 */
export type InnerEvent =
  // ── connection ──
  /** The first time the client can hear and be heard. */
  | { readonly type: 'connection.ready' }
  /** What is sent arrives again, or is not waited for any longer. */
  | { readonly type: 'connection.responsive' }
  /** Nothing comes from the client: wait for it. */
  | { readonly type: 'connection.held'; readonly by: 'client' | 'service' }
  /** The client is back: what waited goes on. */
  | { readonly type: 'connection.back' }
  /** The client is gone for good. */
  | { readonly type: 'connection.over'; readonly reason: EndReason }

  // ── listening: voice activity, no words ──
  /** Perhaps a voice: one or two windows. */
  | { readonly type: 'vad.suspected'; readonly onsetAt: number }
  /** What seemed to be a voice was none. */
  | { readonly type: 'vad.faded' }
  /** The user speaks. `onsetAt`: since when. */
  | { readonly type: 'vad.started'; readonly onsetAt: number }
  /**
   * The user is silent. `voicedMs`: sound above the threshold, without the gaps; `levelDb`: mean level of the voiced
   * windows.
   */
  | {
      readonly type: 'vad.stopped';
      readonly onsetAt: number;
      readonly lastVoicedAt: number;
      readonly voicedMs: number;
      readonly levelDb: number;
    }
  /** The voice goes on, but since then far more quietly than before: it may be another one. Told again and again. */
  | { readonly type: 'vad.faint'; readonly since: number }

  // ── the user's turn ──
  /** The user stopped then. The voice that goes on is part of the room, so `vad.stopped` follows. */
  | { readonly type: 'turn.background'; readonly endedAt: number }
  /** New words, although no voice is heard: what was taken for the room is a voice. */
  | { readonly type: 'turn.words' }
  /** What the user has said so far looks like a whole turn: generate preemptively. */
  | ({ readonly type: 'turn.likelyOver'; readonly correlationId: string } & HeardWords)
  /** The words for which the persona fell silent are no noise, though the turn may go on: they are an interruption. */
  | { readonly type: 'turn.certain' }
  /** The user went on: what was generated preemptively is void. */
  | { readonly type: 'turn.resumed' }
  /** The user has finished a message. */
  | { readonly type: 'turn.ended'; readonly turn: UserTurn }
  /**
   * A turn was decided without all of its words, and here they are, with the turn's own id. `decidedOn`: the words with
   * which it was told before.
   */
  | { readonly type: 'turn.corrected'; readonly turn: UserTurn; readonly decidedOn: string }
  /** Sound without a message: noise, a cough, "mm-hm". It is no activity of the user. */
  | { readonly type: 'turn.dropped' }

  // ── the floor ──
  /** Nobody but the persona wants to speak. */
  | { readonly type: 'floor.free' }
  /** The user has the floor, or seems to take it: the persona begins nothing. */
  | { readonly type: 'floor.taken' }
  /** The user interrupts, on this evidence. Either may prove false: partial text may be noise, a voice may be music. */
  | { readonly type: 'floor.yield'; readonly evidence: 'words' | 'voice' }
  /** The overlap was no interruption. */
  | { readonly type: 'floor.keep' }
  /** The overlap's words are needed now to judge it. */
  | { readonly type: 'floor.undecided' }

  // ── the persona's turns ──
  /** The persona begins a turn: it thinks, speaks or runs a tool. */
  | { readonly type: 'persona.busy' }
  /**
   * Nothing is said, thought about or run. `counts`: it was ordinary speech, which restarts the silence timers. `saidAll`:
   * it was not stopped, and nothing follows.
   */
  | { readonly type: 'persona.idle'; readonly counts: boolean; readonly saidAll: boolean }
  /** The persona begins to be heard. */
  | { readonly type: 'persona.audible' }
  /** The persona is not heard any more. `askedQuestion`: its last words were a question. */
  | { readonly type: 'persona.inaudible'; readonly askedQuestion: boolean }
  /** Speech or a tool begins that must not be interrupted. Its end follows; several may hold at once. */
  | { readonly type: 'persona.uninterruptible' }
  /** The speech or the tool has ended that must not be interrupted. */
  | { readonly type: 'persona.interruptible' }
  /** A tool is run, whoever waits for it. */
  | { readonly type: 'tool.begun'; readonly callId: string }
  /** The tool has ended, however it did. */
  | { readonly type: 'tool.over'; readonly callId: string }
  /** The result of a server tool came after its reply had been interrupted. It is in the history. */
  | { readonly type: 'tool.lateResult' }
  /** The LLM does not know the late result, and nobody speaks: it may be told now. */
  | { readonly type: 'tool.lateResultDue' }
  /** The LLM is asked for a reply that is certain, with all that is known now. */
  | { readonly type: 'persona.asksLlm' }
  /** A turn begins to be answered; cues of the turn carry this id. */
  | { readonly type: 'persona.turnBegun'; readonly correlationId: string; readonly userActionAt: number }
  /** A cue in the persona's own words is reached. */
  | { readonly type: 'persona.cue'; readonly tag: string }

  // ── the meeting ──
  /** People came or left: so many are there without the persona. */
  | { readonly type: 'meeting.changed'; readonly others: number }

  // ── silence, greeting, pause ──
  /** Speak up: the user has been silent. */
  | { readonly type: 'silence.prompt' }
  /** From `skip_turn`, or the user asks to wait: the next prompt waits this long. */
  | { readonly type: 'silence.skip'; readonly timeoutMs: number }
  /** From `pause_conversation`: be quiet for so long. */
  | { readonly type: 'pause.begin'; readonly durationMs: number }
  /** The pause has begun. */
  | { readonly type: 'pause.begun' }
  /** The user spoke or wrote, or the time is up. */
  | { readonly type: 'pause.over' }

  // ── settings ──
  /** Settings of voice detection have changed: the silence is counted anew. */
  | { readonly type: 'settings.changed' }

  // ── the end ──
  /** End the session for this reason. */
  | { readonly type: 'session.end'; readonly reason: EndReason }
  /** Finish what is open: nothing new begins. */
  | { readonly type: 'session.ending' }
  /** Nothing is open any more. */
  | { readonly type: 'session.settled' };

/** Everything that is told on the bus. */
export type BusEvent = SessionEvent | InnerEvent;

/** What was said, by whom, and to whom. */
export interface HeardWords {
  /** All of it. */
  readonly text: string;
  /** In a meeting, the same by speaker; else empty. */
  readonly said: readonly Said[];
  /** Who wants an answer of the persona; null: it was said to others, or asks to wait. */
  readonly asked: Asked | null;
}

/** What somebody said in one go, or several people at once. */
export interface Said {
  /** Ids of participants; empty: nobody knows who. */
  readonly speakers: readonly string[];
  /** Their names, for people and for the LLM: "Alice", "Alice, Bob". */
  readonly name: string;
  readonly text: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A question to the persona. */
export interface Asked {
  /** Ids of participants; empty where nobody knows. */
  readonly by: readonly string[];
  /** End of its words, ms. */
  readonly at: number;
}

/** A finished utterance of the user. In a meeting, all that was said without a pause that ends a turn. */
export interface UserTurn extends HeardWords {
  readonly language: string | null;
  readonly correlationId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly decidedAt: number;
  readonly transcribedAt: number;
  /** Id of the turn whose words it replaces: they are mended, not said again. */
  readonly corrects?: string;
}
