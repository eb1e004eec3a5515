import { useState } from 'preact/hooks';
import type { PricesResponse } from '../../../../control/api/organization/prices-schema.ts';
import { getPrices, updatePrices } from '../../api/routes.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Options } from '../../components/options.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { useLoaded } from '../../state/load.ts';
import { SPEECH } from '../llms/llm-draft.ts';
import { LlmPriceFields } from './llm-price-fields.tsx';
import { type PriceDraft, priceDraftOf, pricesOf } from './price-draft.ts';

/** What the organization pays for conversations. */
export function PricesCard() {
  const loaded = useLoaded('prices', getPrices);
  return loaded.state === 'ready' ? <PricesForm before={loaded.value} /> : null;
}

function PricesForm({ before }: { before: PricesResponse }) {
  const [draft, setDraft] = useState(() => priceDraftOf(before));
  const [isSaved, setSaved] = useState(false);
  const form = useFormWork();
  const change = (part: Partial<PriceDraft>): void => {
    setDraft({ ...draft, ...part });
    setSaved(false);
  };
  async function onSend(): Promise<void> {
    await updatePrices(pricesOf(draft));
    setSaved(true);
  }
  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <div>
        <h2>Prices</h2>
        <p class="muted small">
          What your providers charge you, so that sessions and usage show what conversations cost. A session costs what
          holds when it ends. Recognizers and voices on your own machine cost nothing.
        </p>
      </div>
      <Own draft={draft} change={change} />
      <ByProvider
        label="Recognizers, for a minute of speech"
        field="recognizers"
        prices={draft.recognizers}
        change={change}
      />
      <ByProvider label="Voices, for a million characters" field="voices" prices={draft.voices} change={change} />
      <Llms llms={draft.llms} change={change} />
      <div class="row">
        <SubmitButton form={form}>Save</SubmitButton>
        {isSaved && (
          <span class="badge good" role="status">
            Saved
          </span>
        )}
      </div>
      <FailedWork work={form.work} />
    </RequestForm>
  );
}

type Change = (part: Partial<PriceDraft>) => void;

const NAMES = new Intl.DisplayNames(undefined, { type: 'currency' });
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => [code, `${code}: ${NAMES.of(code)}`] as const);

function Own({ draft, change }: { draft: PriceDraft; change: Change }) {
  return (
    <div class="pair">
      <SelectField
        label="Currency"
        path="currency"
        value={draft.currency}
        hint="Of all prices, those of LLMs as well."
        onChange={(currency) => change({ currency })}
      >
        <Options of={CURRENCIES} />
      </SelectField>
      <TextField
        label="Your own costs, for a minute of conversation"
        path="conversationMinute"
        type="number"
        hint="Machines and traffic, for example."
        value={draft.conversationMinute}
        onInput={(conversationMinute) => change({ conversationMinute })}
      />
    </div>
  );
}

function ByProvider(props: {
  label: string;
  field: 'recognizers' | 'voices';
  prices: Readonly<Record<string, string>>;
  change: Change;
}) {
  const { label, field, prices, change } = props;
  if (Object.keys(prices).length === 0) return null;
  return (
    <GroupField label={label} path={field}>
      <div class="pair">
        {Object.entries(prices).map(([name, price]) => (
          <TextField
            key={name}
            label={name}
            path={`${field}.${name}`}
            type="number"
            value={price}
            onInput={(value) => change({ [field]: { ...prices, [name]: value } })}
          />
        ))}
      </div>
    </GroupField>
  );
}

function Llms({ llms, change }: { llms: PriceDraft['llms']; change: Change }) {
  return (
    <>
      {Object.entries(llms).map(([name, prices]) => (
        <GroupField key={name} label={`${name}, for a million tokens`} path={`llms.${name}`}>
          <LlmPriceFields
            prices={prices}
            path={`llms.${name}`}
            speaks={name.startsWith(SPEECH)}
            onChange={(changed) => change({ llms: { ...llms, [name]: changed } })}
          />
        </GroupField>
      ))}
      <p class="muted small">
        <a href="#/llms">LLMs of your own</a> have their prices themselves.
      </p>
    </>
  );
}
