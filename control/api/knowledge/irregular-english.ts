/** Forms of English words that share no stem, a word each. Those that mean something else as well are left out: "left", "saw". */
const FORMS = `
man men, woman women, child children, person people, foot feet, tooth teeth, mouse mice, goose geese, wife wives,
knife knives, shelf shelves, begin began begun, break broke broken, bring brought, build built, buy bought,
catch caught, choose chose chosen, come came, do did done, draw drew drawn, drink drank drunk, drive drove driven,
eat ate eaten, fall fell fallen, feel felt, fly flew flown, forget forgot forgotten, get got gotten, give gave given,
go went gone, grow grew grown, hear heard, hold held, keep kept, know knew known, lend lent, lose lost, make made,
meet met, pay paid, ride rode ridden, ring rang rung, run ran, say said, sell sold, send sent, sing sang sung, sit sat,
sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen, swim swam swum, take took taken,
teach taught, tell told, think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn,
win won, write wrote written
`
  .trim()
  .split(/,\s+/)
  .map((word) => word.split(' '));

const BY_FORM = new Map(FORMS.flatMap((forms) => forms.map((form) => [form, forms])));

/** @returns the other forms of a word; none of one that is regular, or not known. */
export const otherForms = (word: string): readonly string[] =>
  (BY_FORM.get(word) ?? []).filter((form) => form !== word);
