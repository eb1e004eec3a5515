import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/client.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { linesOf } from './link-wording.ts';
import { createShareLink, type ShareLink } from './share-api.ts';

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

export function NewLinkForm({ personaId, made }: { personaId: string; made: (link: ShareLink) => void }) {
  const [hours, setHours] = useState('168');
  const [uses, setUses] = useState('10');
  const [sites, setSites] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      const link = await createShareLink(personaId, {
        expiresInHours: hours === '' ? null : Number(hours),
        usageLimit: uses === '' ? null : Number(uses),
        allowedOrigins: linesOf(sites),
      });
      setProblem(null);
      made(link);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setBusy(false);
  }

  return (
    <form class="stack" onSubmit={(event) => void create(event)}>
      <div class="pair">
        <SelectField label="It works for" value={hours} onChange={setHours}>
          {HOURS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="It allows" value={uses} onChange={setUses}>
          {USES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Web sites that may use it"
        hint="One a line, for example shop.example.com. Its own page on this service always works."
        lines={2}
        value={sites}
        onInput={setSites}
      />
      {problem !== null && (
        <Notice bad>
          <span>{problem}</span>
        </Notice>
      )}
      <div class="row">
        <button class="button primary" type="submit" disabled={busy}>
          Create link
        </button>
      </div>
    </form>
  );
}
