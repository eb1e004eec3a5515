import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { CHECK_NAMES, type CheckDraft, type CheckKind, END_REASONS } from './test-form-draft.ts';
import { Options } from '../../components/options.tsx';
import { ChangeButton } from '../../components/permission.tsx';

/** Checks of words. */
const WORDS: ReadonlySet<CheckKind> = new Set(['said', 'notSaid', 'heard']);

/** What has to come of a conversation: one check. */
export function CheckFields(props: {
  number: number;
  check: CheckDraft;
  onChange: (check: CheckDraft) => void;
  onRemove: () => void;
}) {
  const { number, check, onChange } = props;
  return (
    <fieldset class="test-check">
      <legend class="visually-hidden">Check {number}</legend>
      <SelectField
        label="Check"
        value={check.kind}
        onChange={(kind) => onChange({ kind: kind as CheckKind, text: '', args: '' })}
      >
        <Options of={Object.entries(CHECK_NAMES)} />
      </SelectField>
      <WhatIsChecked number={number} check={check} onChange={onChange} />
      <ChangeButton class="button quiet icon-only" aria-label={`Remove check ${number}`} onClick={props.onRemove}>
        <Icon name="trash" />
      </ChangeButton>
    </fieldset>
  );
}

function WhatIsChecked(props: { number: number; check: CheckDraft; onChange: (check: CheckDraft) => void }) {
  const { number, check, onChange } = props;
  const text = (label: string, options: { hint?: string; lines?: number; type?: 'number' } = {}) => (
    <TextField
      label={label}
      path={`checks.${number - 1}`}
      value={check.text}
      onInput={(value) => onChange({ ...check, text: value })}
      {...options}
    />
  );
  return (
    <>
      {WORDS.has(check.kind) && text('Words', { hint: 'One of them a line.', lines: 2 })}
      {check.kind === 'toolNotCalled' && text('Tool')}
      {check.kind === 'toolCalled' && (
        <>
          {text('Tool')}
          <TextField
            label="With these arguments"
            path="arguments"
            hint='JSON, such as {"city":"Paris"}. Empty: any.'
            value={check.args}
            onInput={(args) => onChange({ ...check, args })}
          />
        </>
      )}
      {check.kind === 'ended' && (
        <SelectField
          label="How"
          value={check.text || 'client_disconnected'}
          onChange={(reason) => onChange({ ...check, text: reason })}
        >
          <Options of={END_REASONS} />
        </SelectField>
      )}
      {check.kind === 'graded' && text('What has to be true', { lines: 2 })}
      {check.kind === 'latency' && text('Milliseconds', { type: 'number' })}
      {check.kind === 'interrupted' && text('Times', { type: 'number' })}
    </>
  );
}
