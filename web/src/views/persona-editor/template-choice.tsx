import { useState } from 'preact/hooks';
import { GroupField } from '../../components/group-field.tsx';
import { useReadOnly } from '../../components/problems.tsx';
import { confirm } from '../../state/confirm.ts';
import { type Choices, draftOf } from './persona-draft.ts';
import { PersonaImport } from './persona-import.tsx';
import type { SectionProps } from './section.ts';
import { isRewritten, type PersonaTemplate, templateChange } from './templates/template.ts';
import { TEMPLATES } from './templates/templates.ts';

const BLANK = { id: '', name: 'Blank', text: 'A friendly host: you write who it is and what it does.' };

/** What a new persona begins with: texts, variables, turn-taking, and what is asked after the call. */
export function TemplateChoice({ draft, set, choices }: Pick<SectionProps, 'draft' | 'set'> & { choices: Choices }) {
  const blank = draftOf(null, choices);
  // A choice that was taken back: the browser has marked it already.
  const [takenBack, setTakenBack] = useState(0);
  const isReadOnly = useReadOnly();
  const chosen = TEMPLATES.find(({ id }) => id === draft.personaPreset) ?? null;

  async function choose(template: PersonaTemplate | null): Promise<void> {
    const question = { title: 'Replace what you wrote?', text: 'The template has texts of its own.', yes: 'Replace' };
    if (isRewritten(draft, blank, chosen) && !(await confirm(question))) setTakenBack(takenBack + 1);
    else set(templateChange(blank, template));
  }

  return (
    <GroupField label="Begin with" hint={(chosen ?? BLANK).text}>
      <div class="templates" key={takenBack}>
        {[BLANK, ...TEMPLATES].map((one) => (
          <label key={one.id}>
            <input
              type="radio"
              name="template"
              value={one.id}
              disabled={isReadOnly}
              checked={one.id === draft.personaPreset}
              onChange={() => void choose('content' in one ? one : null)}
            />
            {one.name}
          </label>
        ))}
        {!isReadOnly && <PersonaImport choices={choices} />}
      </div>
    </GroupField>
  );
}
