import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { VariableValues } from '../../components/variable-values.tsx';
import { VersionSharesField } from './version-shares.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { linesOf } from './link-wording.ts';
import { createShareLink, type SharedPersona, type ShareLink } from './share-api.ts';
import { Options } from '../../components/options.tsx';

const HOURS = [
  ['24', 'One day'],
  ['168', 'A week'],
  ['720', '30 days'],
  ['', 'Without end'],
] as const;
const USES = [
  ['1', 'One conversation'],
  ['10', '10 conversations'],
  ['100', '100 conversations'],
  ['', 'Any number'],
] as const;

export function NewLinkForm({ persona, made }: { persona: SharedPersona; made: (link: ShareLink) => void }) {
  const [hours, setHours] = useState('168');
  const [uses, setUses] = useState('10');
  const [sites, setSites] = useState('');
  const [values, setValues] = useState<ShareLink['variableValues']>({});
  const [versions, setVersions] = useState<ShareLink['versions']>(null);
  const form = useFormWork();

  async function onSend(): Promise<void> {
    const link = await createShareLink(persona.id, {
      expiresInHours: hours === '' ? null : Number(hours),
      usageLimit: uses === '' ? null : Number(uses),
      allowedOrigins: linesOf(sites),
      variableValues: values,
      versions,
    });
    made(link);
  }

  return (
    <RequestForm form={form} class="stack" onSend={onSend}>
      <div class="pair">
        <SelectField label="It works for" path="expiresInHours" value={hours} onChange={setHours}>
          <Options of={HOURS} />
        </SelectField>
        <SelectField label="It allows" path="usageLimit" value={uses} onChange={setUses}>
          <Options of={USES} />
        </SelectField>
      </div>
      <TextField
        label="Web sites that may use it"
        path="allowedOrigins"
        hint="One a line, for example shop.example.com. Its own page on this service always works."
        lines={2}
        value={sites}
        onInput={setSites}
      />
      <VariableValues
        declared={persona.variables}
        isComplete
        path="variableValues"
        values={values}
        onChange={setValues}
      />
      <VersionSharesField versions={persona.versions} path="versions" value={versions} onChange={setVersions} />
      <FailedWork work={form.work} />
      <div class="row">
        <SubmitButton form={form}>Create link</SubmitButton>
      </div>
    </RequestForm>
  );
}
