import type { Version } from '../persona-editor/draft-api.ts';
import { SelectField, TextField } from '../../components/fields.tsx';

export type VersionShares = readonly { readonly version: number; readonly share: number }[] | null;

/** Which versions of a persona conversations have: what is live, one version, or two that share them. */
export function VersionSharesField(props: {
  readonly versions: readonly Version[];
  readonly value: VersionShares;
  readonly path: string;
  readonly onChange: (value: VersionShares) => void;
}) {
  const { versions, value, path, onChange } = props;
  // There is nothing to choose.
  if (versions.length < 2 && value === null) return null;
  const [first, second] = value ?? [];
  const options = versions.map(({ number, note, isLive }) => ({
    number,
    text: `Version ${number}${isLive ? ' (live)' : ''}${note === '' ? '' : `: ${note.slice(0, 60)}`}`,
  }));
  return (
    <fieldset class="field plain stack">
      <legend>Version</legend>
      <SelectField
        label="Conversations have"
        path={path}
        value={first === undefined ? '' : String(first.version)}
        onChange={(text) => onChange(text === '' ? null : [{ version: Number(text), share: 100 }])}
      >
        <option value="">What is live</option>
        <VersionOptions options={options} />
      </SelectField>
      {first !== undefined && <OtherVersion {...{ first, second, path, onChange }} options={options} />}
    </fieldset>
  );
}

interface Option {
  readonly number: number;
  readonly text: string;
}
type Share = NonNullable<VersionShares>[number];

/** The version that has the rest of the conversations. */
function OtherVersion(props: {
  readonly first: Share;
  readonly second: Share | undefined;
  readonly options: readonly Option[];
  readonly path: string;
  readonly onChange: (value: VersionShares) => void;
}) {
  const { first, second, path, onChange } = props;
  const others = props.options.filter(({ number }) => number !== first.version);
  const withOther = (version: number, share: number): VersionShares => [
    { ...first, share: 100 - share },
    { version, share },
  ];
  if (others.length === 0) return null;
  return (
    <>
      <SelectField
        label="Compared with"
        path={`${path}.1.version`}
        hint="A part of the conversations has the other version; the id of a session decides. Versions, in the editor, compares what came of them."
        value={second === undefined ? '' : String(second.version)}
        onChange={(text) =>
          onChange(text === '' ? [{ ...first, share: 100 }] : withOther(Number(text), second?.share ?? 50))
        }
      >
        <option value="">No other</option>
        <VersionOptions options={others} />
      </SelectField>
      {second !== undefined && (
        <TextField
          label={`Percent that have version ${second.version}`}
          path={`${path}.1.share`}
          type="number"
          value={String(second.share)}
          onInput={(text) => onChange(withOther(second.version, clamped(Number(text))))}
        />
      )}
    </>
  );
}

/** @returns a whole number of percent that leaves something to both. */
const clamped = (percent: number): number => Math.min(99, Math.max(1, Math.round(percent) || 1));

function VersionOptions({ options }: { options: readonly Option[] }) {
  return (
    <>
      {options.map(({ number, text }) => (
        <option key={number} value={String(number)}>
          {text}
        </option>
      ))}
    </>
  );
}

/** "version 3, 80 %; version 5, 20 %". */
export function sharesText(value: VersionShares): string {
  if (value === null) return '';
  const [only, second] = value;
  if (only !== undefined && second === undefined) return `version ${only.version}`;
  return value.map(({ version, share }) => `version ${version}, ${share} %`).join('; ');
}
