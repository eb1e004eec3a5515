import { useState } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { createGroup, type GroupDetails } from './knowledge-api.ts';

/** Creates a group of documents by its name. @param props.cancel where one goes without it. */
export function NewGroupForm(props: {
  class: string;
  suggestion?: string;
  hint?: string;
  cancel: string | (() => void);
  onCreated: (group: GroupDetails) => void;
}) {
  const [name, setName] = useState(props.suggestion ?? '');
  const form = useFormWork();
  return (
    <RequestForm form={form} class={props.class} onSend={async () => props.onCreated(await createGroup(name))}>
      <TextField
        label="Name"
        path="name"
        required
        maxLength={255}
        placeholder="House rules"
        hint={props.hint}
        value={name}
        onInput={setName}
      />
      <FormEnd form={form} save="Create" cancel={props.cancel} />
    </RequestForm>
  );
}
