import { DirectorNotes } from './director-notes.tsx';
import type { SectionProps } from './section.ts';
import { TurnTaking } from './turn-taking.tsx';

export function Behavior(props: SectionProps) {
  return (
    <>
      <TurnTaking {...props} />
      <DirectorNotes {...props} />
    </>
  );
}
