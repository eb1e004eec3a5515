import { batch, computed, effect, signal } from '@preact/signals';
import { sentenceOf } from '../api/client.ts';
import { startSession } from '../api/routes.ts';
import type { Companion } from './companions.ts';
import { route } from './route.ts';
import { captionOf, withSpeech, withTyped, type ChatMessage } from '../session/conversation.ts';
import type { DataMessage } from '../session/data-messages.ts';
import { floorAfter, floorAfterTyping, holderOf, QUIET_FLOOR } from '../session/floor.ts';
import { LiveSession, type LinkState } from '../session/live-session.ts';
import { microphoneProblem, openMicrophone, type Microphone } from '../session/microphone.ts';
import { follow, note, noteMessage, stopFollowing } from './timeline.ts';

/** The conversation of this page: at most one. */
export type Phase = 'idle' | 'starting' | 'live' | 'over';

export const phase = signal<Phase>('idle');
export const persona = signal<Companion | null>(null);
export const sessionId = signal<string | null>(null);
export const link = signal<LinkState>('connecting');
export const stream = signal<MediaStream | null>(null);
export const messages = signal<readonly ChatMessage[]>([]);
/** Messages for the user: a warning of the service, a refused microphone, the reason of the end. */
export const notice = signal<string | null>(null);
export const microphone = signal<Microphone | null>(null);
export const muted = signal(false);

const floor = signal(QUIET_FLOOR);
export const holder = computed(() => holderOf(floor.value));
export const caption = computed(() => captionOf(messages.value));

let live: LiveSession | null = null;

export async function start(who: Companion, withMicrophone: boolean): Promise<void> {
  if (phase.value === 'starting' || phase.value === 'live') return;
  reset(who);
  try {
    // Asked first: the user may take a while to answer, and a started session would wait for it.
    const opened = withMicrophone ? await openMicrophone().catch(explainMicrophone) : null;
    if (wasLeft()) return opened?.close();
    microphone.value = opened;
    const started = await startSession(who.personaConfig);
    if (wasLeft()) return;
    sessionId.value = started.sessionId;
    follow(started.sessionId);
    live = new LiveSession(started, opened?.track ?? null, {
      link: onLink,
      stream: (value) => {
        stream.value = value;
      },
      message: onMessage,
      warning: onWarning,
      ended: over,
    });
    phase.value = 'live';
  } catch (error) {
    over(sentenceOf(error));
  }
}

export function say(text: string): void {
  if (live === null || text.trim() === '') return;
  live.sendText(text.trim());
  messages.value = withTyped(messages.value, text.trim(), performance.now());
  floor.value = floorAfterTyping(floor.value);
}

export function interrupt(): void {
  live?.interrupt();
}

export function toggleMute(): void {
  muted.value = !muted.value;
  if (microphone.value !== null) microphone.value.track.enabled = !muted.value;
}

export function hangUp(): void {
  over(null);
}

/** If another view is open at the end, the talk view returns to the choice of personas. */
effect(() => {
  if (phase.value === 'over' && route.value.view !== 'talk') leave();
});

/** Back to the choice of personas. */
export function leave(): void {
  over(null);
  phase.value = 'idle';
  persona.value = null;
}

function wasLeft(): boolean {
  return phase.value !== 'starting';
}

function reset(who: Companion): void {
  batch(() => {
    phase.value = 'starting';
    persona.value = who;
    sessionId.value = null;
    link.value = 'connecting';
    stream.value = null;
    messages.value = [];
    notice.value = null;
    muted.value = false;
    floor.value = QUIET_FLOOR;
  });
}

function explainMicrophone(error: unknown): null {
  notice.value = microphoneProblem(error);
  return null;
}

function onLink(state: LinkState): void {
  const labels = {
    connecting: 'Connecting',
    ready: link.value === 'reconnecting' ? 'Connected again' : 'Connected',
    reconnecting: 'Connection interrupted',
    closed: 'Disconnected',
  };
  note({ kind: 'network', label: labels[state] });
  link.value = state;
}

function onMessage(message: DataMessage): void {
  batch(() => {
    floor.value = floorAfter(floor.value, message);
    if (message.kind === 'speech') messages.value = withSpeech(messages.value, message, performance.now());
    noteMessage(message);
  });
}

function onWarning(text: string): void {
  notice.value = text;
  note({ kind: 'service', label: text });
}

/** @param text null when the user hung up. */
function over(text: string | null): void {
  if (phase.value === 'idle' || phase.value === 'over') return;
  stopFollowing(sessionId.value ?? undefined);
  live?.close();
  live = null;
  microphone.value?.close();
  batch(() => {
    microphone.value = null;
    stream.value = null;
    floor.value = QUIET_FLOOR;
    notice.value = text;
    phase.value = 'over';
  });
}
