import { useEffect } from 'preact/hooks';
import type { Persona } from '../../api/types.ts';
import { Conversation } from '../../components/conversation.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { companionOf } from '../../state/companions.ts';
import { valuesOfTrial } from '../../state/trial-values.ts';
import { leave, messages, notice, persona, phase, start } from '../../state/talk.ts';
import { Controls } from '../talk/controls.tsx';
import { Face } from '../talk/face.tsx';
import { FloorBar } from '../talk/floor-bar.tsx';
import type { PersonaDraft } from './persona-draft.ts';

const keyOf = (personaId: string): string => `draft ${personaId}`;

/** Talks with the draft, beside the form. A conversation that goes on is ended. */
export function tryDraft(saved: Persona, draft: PersonaDraft): void {
  leave();
  const who = companionOf(saved);
  void start(
    {
      ...who,
      key: keyOf(saved.id),
      name: draft.name,
      personaConfig: { personaId: saved.id, version: 'draft', variableValues: valuesOfTrial(draft.variables) },
    },
    true,
  );
}

/** The conversation with the draft of a persona, while there is one. */
export function TrialPanel({ personaId }: { personaId: string }) {
  const isHere = persona.value?.key === keyOf(personaId) && phase.value !== 'idle';
  // Who leaves the editor leaves the draft.
  useEffect(
    () => () => {
      if (persona.value?.key === keyOf(personaId)) leave();
    },
    [personaId],
  );
  if (!isHere) return null;
  return (
    <aside class="trial card" aria-label="Trial of the draft">
      <div class="trial-head">
        <h2>Trial of the draft</h2>
        <button class="button quiet icon-only" type="button" aria-label="End the trial" onClick={leave}>
          <Icon name="cross" />
        </button>
      </div>
      <Face />
      {phase.value !== 'over' && <FloorBar />}
      {notice.value !== null && phase.value === 'live' && (
        <Notice>
          <span>{notice.value}</span>
        </Notice>
      )}
      {phase.value !== 'over' && <Controls />}
      <Conversation following lines={messages.value} />
    </aside>
  );
}
