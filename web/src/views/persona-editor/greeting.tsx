import fields from '../../api/persona-fields.json';
import { RadioField } from '../../components/radio-field.tsx';
import { CheckField, TextField } from '../../components/fields.tsx';
import type { Changes, PersonaDraft } from './persona-draft.ts';
import type { SectionProps } from './section.ts';

const CHOICES = [
  { value: 'own', label: 'The persona greets in its own words' },
  { value: 'fixed', label: 'The persona says the words below' },
  { value: 'none', label: 'The user speaks first' },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

/** How a conversation begins. */
export function Greeting({ draft, set }: Pick<SectionProps, 'draft' | 'set'>) {
  const choice = choiceOf(draft);
  return (
    <>
      <RadioField
        label="When a conversation begins"
        path="skipGreeting"
        value={choice}
        choices={CHOICES}
        onChange={(next) => set(changeOf(next, draft))}
      />
      {choice === 'fixed' && (
        <TextField
          label="First words"
          path="initialMessage"
          lines={2}
          maxLength={fields.limits.initialMessage.maxLength}
          value={draft.initialMessage ?? ''}
          placeholder="Good evening, and welcome. How can I help you?"
          hint="Spoken word for word."
          onInput={(initialMessage) => set({ initialMessage })}
        />
      )}
      {choice !== 'none' && (
        <CheckField
          label="Users cannot interrupt the greeting"
          path="uninterruptibleGreeting"
          checked={draft.uninterruptibleGreeting}
          onChange={(uninterruptibleGreeting) => set({ uninterruptibleGreeting })}
        />
      )}
    </>
  );
}

function choiceOf({ skipGreeting, initialMessage }: PersonaDraft): Choice {
  if (skipGreeting) return 'none';
  return initialMessage === null ? 'own' : 'fixed';
}

function changeOf(choice: Choice, { initialMessage }: PersonaDraft): Changes {
  switch (choice) {
    case 'own':
      return { skipGreeting: false, initialMessage: null };
    case 'fixed':
      return { skipGreeting: false, initialMessage: initialMessage ?? '' };
    case 'none':
      return { skipGreeting: true };
  }
}
