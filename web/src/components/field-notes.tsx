import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { sentenceAbout } from '../api/problem.ts';
import { type FieldState, useProblem } from './problems.tsx';

export interface FieldNotes extends FieldState {
  readonly id: string;
  /** For `aria-describedby`. */
  readonly describedBy: string | undefined;
  /** The hint, and what is wrong. */
  readonly notes: VNode;
}

/** What stands under a control, or under several of one name. @param label its name. @param path see `components/problems.tsx`. */
export function useFieldNotes(path: string | undefined, hint: ComponentChildren, label: string): FieldNotes {
  const id = useId();
  const state = useProblem(path);
  const { problem } = state;
  const described = [hint === undefined ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`].join(' ').trim();
  return {
    ...state,
    id,
    describedBy: described === '' ? undefined : described,
    notes: (
      <>
        {hint !== undefined && (
          <span class="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
        {problem !== null && (
          <span class="problem" id={`${id}-problem`}>
            {sentenceAbout(label, problem)}
          </span>
        )}
      </>
    ),
  };
}
