/** The choices of a `SelectField`: the value of each, and what is read. */
export function Options({ of: choices }: { of: readonly (readonly [value: string, text: string])[] }) {
  return (
    <>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  );
}
