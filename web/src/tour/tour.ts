import { computed, effect, signal } from '@preact/signals';
import { apiKey } from '../state/key.ts';
import { route, TALK } from '../state/route.ts';
import { messages, microphone, persona, phase, sessionId } from '../state/talk.ts';
import { contentOf, stepOf, type StepContent, type TourFacts, type TourStep } from './steps.ts';

const STORED_AS = 'parley.tour';

/** What this browser remembers of the tour. `new`: it was neither taken nor refused. */
export type TourState =
  | { readonly name: 'new' }
  | { readonly name: 'over' }
  /** With the conversation that was held during the tour: a reload of the page does not forget it. */
  | { readonly name: 'running'; readonly sessionId: string | null };

export const tour = signal<TourState>(stored());

effect(() => localStorage.setItem(STORED_AS, JSON.stringify(tour.value)));

effect(() => {
  const now = tour.value;
  const held = phase.value === 'live' ? sessionId.value : null;
  if (now.name === 'running' && held !== null && held !== now.sessionId) tour.value = { ...now, sessionId: held };
});

const facts = computed<TourFacts>(() => {
  const held = tour.value.name === 'running' ? tour.value.sessionId : null;
  const { view, id } = route.value;
  return {
    page: view === TALK ? 'talk' : view === 'sessions' && id !== null && id === held ? 'record' : 'another',
    phase: phase.value,
    microphone: microphone.value,
    answered: wasAnswered(messages.value.map(({ role }) => role)),
    sessionId: held,
  };
});

export interface ShownStep extends StepContent {
  readonly step: TourStep;
}

/** What the tour shows now; null: it is not running. */
export const shownStep = computed<ShownStep | null>(() => {
  if (tour.value.name !== 'running' || apiKey.value === null) return null;
  const step = stepOf(facts.value);
  return { step, ...contentOf(step, facts.value, persona.value?.name ?? 'the persona') };
});

export function startTour(): void {
  tour.value = { name: 'running', sessionId: null };
}

export function endTour(): void {
  tour.value = { name: 'over' };
}

/** @param roles of the messages, oldest first. The greeting of a persona is no answer. */
function wasAnswered(roles: readonly string[]): boolean {
  const asked = roles.indexOf('user');
  return asked !== -1 && roles.indexOf('persona', asked) !== -1;
}

/** Another version of the console, or the user, may have written something else. */
function stored(): TourState {
  try {
    const value = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as { name?: unknown; sessionId?: unknown };
    if (value?.name === 'over') return { name: 'over' };
    if (value?.name === 'running')
      return { name: 'running', sessionId: typeof value.sessionId === 'string' ? value.sessionId : null };
  } catch {
    // As if nothing was stored.
  }
  return { name: 'new' };
}
