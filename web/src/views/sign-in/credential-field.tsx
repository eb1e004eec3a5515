import type { ControlAttributes } from '../../components/field.tsx';
import { Field } from '../../components/field.tsx';

/** What the browser's password manager fills in, and offers to keep. */
export type Credential = 'username' | 'current-password' | 'new-password';

export function CredentialField(props: {
  label: string;
  path: string;
  is: Credential;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  readOnly?: boolean;
}) {
  return (
    <Field label={props.label} path={props.path} hint={props.hint}>
      {(attributes: ControlAttributes) => {
        const shared = {
          ...attributes,
          class: 'input',
          autocomplete: props.is,
          required: true,
          readOnly: props.readOnly,
          value: props.value,
          onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
            props.onInput(event.currentTarget.value),
        };
        // Each type by itself: its attributes differ. Not `email`: the service decides what an address is.
        return props.is === 'username' ? (
          <input type="text" inputMode="email" spellcheck={false} {...shared} />
        ) : (
          <input type="password" {...shared} />
        );
      }}
    </Field>
  );
}

/** As the service asks for it. */
export const PASSWORD_HINT = 'At least 12 characters. A few words that only you put together are easy to remember.';
