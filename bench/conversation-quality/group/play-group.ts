import { Random } from '../random.ts';
import { benchConfig } from '../session-config.ts';
import type { SimulatedServices, VoiceTrack } from '../simulated-services.ts';
import { MISTAKES, openSimulation } from '../simulation.ts';
import { audioOf, roomWindow, type Audio } from '../user-audio.ts';
import { groupScript, HEARD_AS, PERSONA, type GroupAct } from './group-script.ts';

/** The page looks at levels so often, and tells the end of a voice so much later. */
const LEVEL_MS = 50;
const HANGOVER_MS = 300;
/** What the page tells comes 0 to 200 ms after the sound; drawn for each meeting. */
const MAX_SKEW_MS = 100;
/** People wait so long for an answer, and then for its end. */
const PATIENCE_MS = 4_000;
const AFTERMATH_MS = 6_000;

export interface PlayedAct {
  readonly act: GroupAct;
  readonly startMs: number;
  readonly endMs: number;
  /** The persona was asked, and what the recognizer wrote for its name. */
  readonly nameHeardAs: string | null;
}

export interface GroupConversation {
  readonly people: readonly string[];
  readonly acts: readonly PlayedAct[];
  readonly persona: VoiceTrack;
  readonly rows: readonly { readonly speaker: string; readonly at: number }[];
  readonly lengthMs: number;
}

interface Running {
  readonly audio: Audio;
  readonly startedAt: number;
  readonly act: GroupAct;
  readonly nameHeardAs: string;
  window: number;
  word: number;
}

/** Plays a meeting on a simulated clock. The same seed gives the same meeting. */
export function playGroup(seed: number): GroupConversation {
  const random = new Random(seed);
  const { people, acts } = groupScript(random);
  const rows: { speaker: string; at: number }[] = [];
  const meeting = { displayName: `${PERSONA} (AI)`, groupCall: true };
  const simulation = openSimulation({ ...benchConfig(), meeting }, String(seed), seed, (command) => {
    if (command.type === 'report' && command.entry.kind === 'message' && command.entry.message.role === 'user')
      rows.push({
        speaker: command.entry.message.speaker ?? '',
        at: command.entry.message.at,
      });
  });
  const { clock, session, services } = simulation;
  services.answer = 'short';
  session.dispatch({ type: 'meeting.participants', participants: people.map((name) => ({ id: name, name })) });

  const levels = new TrackLevels(simulation, random.between(-MAX_SKEW_MS, MAX_SKEW_MS));
  const played: PlayedAct[] = [];
  const begin = (act: GroupAct): Running => {
    const audio = audioOf(
      {
        kind: 'turn',
        text: act.text,
        when: { persona: 'silent', afterMs: 0 },
        levelDb: random.around(0, 8),
        audioMs: 0,
        answer: 'short',
      },
      random,
    );
    const nameHeardAs = random.pick(HEARD_AS);
    const startMs = clock.now();
    const isAsked = act.kind === 'addressed';
    played.push({ act, startMs, endMs: startMs + audio.lengthMs, nameHeardAs: isAsked ? nameHeardAs : null });
    levels.beLoud(act.who, audio.lengthMs);
    return { audio, startedAt: startMs, act, nameHeardAs, window: 0, word: 0 };
  };

  let running: readonly Running[] = [];
  for (let next = 0; next < acts.length || clock.now() < (played.at(-1)?.endMs ?? 0) + AFTERMATH_MS;) {
    const act = acts[next];
    if (act !== undefined && isTime(act, played.at(-1), services, clock.now())) {
      running = [...running, begin(act)];
      next += 1;
    }
    const windows = [roomWindow(random), ...running.flatMap(({ audio, window }) => audio.windows[window] ?? [])];
    simulation.listen({
      probability: Math.max(...windows.map((window) => window.probability)),
      levelDb: Math.max(...windows.map((window) => window.levelDb)),
    });
    for (const one of running) sayWords(one, clock.now(), services);
    for (const one of running) one.window += 1;
    running = running.filter(({ audio, window }) => window < audio.windows.length);
  }
  session.stop();
  return { people, acts: played, persona: services.track, rows, lengthMs: clock.now() };
}

/** The page looks at the level of each track, and tells who speaks. */
class TrackLevels {
  readonly #simulation: Pick<ReturnType<typeof openSimulation>, 'clock' | 'session'>;
  readonly #skew: number;
  readonly #loudUntil = new Map<string, number>();

  /** @param skew how much later than usual it tells, ms. */
  constructor(simulation: Pick<ReturnType<typeof openSimulation>, 'clock' | 'session'>, skew: number) {
    this.#simulation = simulation;
    this.#skew = skew;
  }

  beLoud(participantId: string, lengthMs: number): void {
    const isLoud = this.#loudUntil.has(participantId);
    const until = this.#simulation.clock.now() + lengthMs;
    this.#loudUntil.set(participantId, Math.max(this.#loudUntil.get(participantId) ?? 0, until));
    if (isLoud) return;
    this.#tell(participantId, true);
    this.#look(participantId);
  }

  #look(participantId: string): void {
    const { clock } = this.#simulation;
    const until = this.#loudUntil.get(participantId) ?? 0;
    if (clock.now() < until + HANGOVER_MS) return void clock.setTimeout(() => this.#look(participantId), LEVEL_MS);
    this.#loudUntil.delete(participantId);
    this.#tell(participantId, false);
  }

  #tell(participantId: string, speaking: boolean): void {
    const { clock, session } = this.#simulation;
    const event = { type: 'meeting.speaking', participantId, speaking } as const;
    clock.setTimeout(() => session.dispatch(event), MAX_SKEW_MS + this.#skew);
  }
}

/** Whoever asked the persona waits for its answer, and so do the others. */
function isTime(act: GroupAct, last: PlayedAct | undefined, services: SimulatedServices, now: number): boolean {
  if (last === undefined) return now > 500;
  const isAsked = last.act.kind === 'addressed' || last.act.kind === 'follow-up';
  const answer = services.track.spans.findLast(({ start }) => start > last.endMs);
  if (isAsked && answer === undefined && now < last.endMs + PATIENCE_MS) return false;
  if (services.speaking) return false;
  // Sentences of an answer have pauses between them.
  const since = isAsked && answer !== undefined ? answer.end + 400 : last.endMs;
  return now >= since + act.gapMs;
}

function sayWords(one: Running, now: number, services: SimulatedServices): void {
  for (
    let word = one.audio.words[one.word];
    word !== undefined && word.endMs <= now - one.startedAt;
    word = one.audio.words[one.word]
  ) {
    const isName = one.act.kind === 'addressed' && word.text === PERSONA.toLowerCase();
    for (const heard of isName ? one.nameHeardAs.split(' ') : [word.text]) services.hear(heard, isName ? 0 : MISTAKES);
    one.word += 1;
  }
}
