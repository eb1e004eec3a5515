/**
 * How often a question finds its passage when it has other words than the text: the real service, its API, and twenty
 * questions about a hotel. By words alone, and with the embedding model of this machine.
 *
 *   node bench/knowledge-search.ts --models DIR
 *
 * `--models`: a folder into which `node scripts/models.ts fetch minilm-en` has fetched it.
 */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { engineNow } from '../runtime/clock.ts';
import { callApi, type ServiceAddress } from './lib/call-api.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { models: { type: 'string' } } });
if (args.models === undefined) throw new Error('--models DIR: a folder with minilm-en in it.');
/** Each question is asked so often; the first start of the model's process is not counted. */
const TIMES = 5;
const LOOK_EVERY_MS = 100;

/** What a guest book says, and how somebody asks for it who does not know its words. */
const FACTS: readonly (readonly [passage: string, question: string])[] = [
  ['Breakfast is served from 7 to 10:30 in the winter garden.', 'When can I eat in the morning?'],
  [
    'Rooms are ready from 3 p.m.; on the day of departure please leave yours by 11 a.m.',
    'How late may I stay on my last day?',
  ],
  ['The underground garage costs 18 euros a night.', 'What do I pay for leaving my car here?'],
  ['Dogs are welcome in rooms on the ground floor for 15 euros a stay.', 'May I bring my pet?'],
  ['The wireless network is called Linden and needs no password.', 'How do I get online?'],
  ['The indoor pool is heated to 28 degrees and open until 9 p.m.', 'Where can the children go swimming?'],
  ['A doctor comes to the house within an hour; ask at the reception.', 'What if somebody gets ill?'],
  ['Vegan and gluten-free dishes are marked on the menu.', 'I have celiac disease. Is there something for me?'],
  ['The airport shuttle leaves every half hour from the main entrance.', 'How do I reach my flight?'],
  ['Shirts that are handed in by 9 a.m. are washed and ironed by the evening.', 'Can you do my laundry?'],
  ['Bicycles can be borrowed free of charge for up to four hours.', 'Is there something to ride around town on?'],
  ['Smoking is allowed only on the terrace of the bar.', 'Where may I light a cigarette?'],
  ['The safe in the wardrobe opens with a code of your own.', 'Where do I leave my valuables?'],
  ['Two rooms have wide doors and a shower without a step.', 'My mother uses a wheelchair. Is that a problem?'],
  [
    'Bookings can be canceled free of charge until two days before the arrival.',
    'Do I get my money back if I do not come?',
  ],
  ['The roof sauna has mixed hours from 5 p.m. on.', 'Where can I sweat and relax?'],
  ['Cots for babies are put into the room on request.', 'We travel with a newborn. Where does it sleep?'],
  ['Meeting rooms hold up to forty people and have a projector.', 'Is there a place for a conference of my company?'],
  ['The bar closes at one in the night.', 'How long can I get a drink?'],
  ['Payment is possible in cash, with debit cards and with all usual credit cards.', 'Do you take Visa?'],
];

interface Hit {
  readonly content: string;
}

async function fill(service: ServiceAddress): Promise<string> {
  const { id } = await callApi<{ id: string }>(service, 'POST', '/v1/knowledge/groups', { name: 'Hotel' });
  for (const [index, [passage]] of FACTS.entries()) {
    const form = new FormData();
    form.append('file', new Blob([passage], { type: 'text/plain' }), `fact-${index}.txt`);
    const uploaded = await fetch(`${service.url}/v1/knowledge/groups/${id}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}` },
      body: form,
    });
    if (!uploaded.ok) throw new Error(await uploaded.text());
  }
  const isReady = async (): Promise<boolean> => {
    const documents = await callApi<{ status: string }[]>(service, 'GET', `/v1/knowledge/groups/${id}/documents`);
    return documents.every(({ status }) => status === 'READY');
  };
  while (!(await isReady())) await pause(LOOK_EVERY_MS);
  return id;
}

async function measure(name: string, settings: Record<string, string>): Promise<(string | number)[]> {
  const service = await startServiceProcess(settings);
  try {
    const group = await fill(service);
    const ask = (query: string) =>
      callApi<Hit[]>(service, 'POST', `/v1/knowledge/groups/${group}/search`, { query, limit: 3 });
    let [first, firstThree] = [0, 0];
    const took: number[] = [];
    for (const [passage, question] of FACTS) {
      const results = await ask(question);
      first += results[0]?.content === passage ? 1 : 0;
      firstThree += results.some(({ content }) => content === passage) ? 1 : 0;
      for (let time = 0; time < TIMES; time++) {
        const at = engineNow();
        await ask(question);
        took.push(engineNow() - at);
      }
    }
    return [name, first, firstThree, quantile(took, 0.5), quantile(took, 0.95)];
  } finally {
    await service.stop();
  }
}

const rows = [
  await measure('words', { PARLEY_LOCAL_MODELS: 'off' }),
  await measure('words and meaning (minilm-en)', { PARLEY_MODELS_DIR: resolve(args.models) }),
];
console.log(`${FACTS.length} questions in other words than their passages; times of a search with its request, ms:`);
printTable(['by', 'first', 'among three', 'p50', 'p95'], rows);
