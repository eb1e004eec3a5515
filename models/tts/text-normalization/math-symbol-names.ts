/** How one language says the signs of formulas. */
export interface MathSymbolNames {
  readonly squared: string;
  readonly cubed: string;
  /** Before the exponent: "to the power of". */
  readonly power: string;
  readonly root: string;
  readonly cubeRoot: string;
  /** The line of a fraction. */
  readonly over: string;
  /** Between two numbers. */
  readonly dividedBy: string;
  readonly plusMinus: string;
  readonly less: string;
  readonly greater: string;
  readonly atMost: string;
  readonly atLeast: string;
  readonly unequal: string;
  readonly about: string;
  readonly infinity: string;
}

/** By ISO 639-1. */
export const MATH_SYMBOL_NAMES: Readonly<Record<string, MathSymbolNames>> = {
  en: {
    squared: 'squared',
    cubed: 'cubed',
    power: 'to the power of',
    root: 'the square root of',
    cubeRoot: 'the cube root of',
    over: 'over',
    dividedBy: 'divided by',
    plusMinus: 'plus or minus',
    less: 'is less than',
    greater: 'is greater than',
    atMost: 'is at most',
    atLeast: 'is at least',
    unequal: 'is not equal to',
    about: 'is about',
    infinity: 'infinity',
  },
  de: {
    squared: 'Quadrat',
    cubed: 'hoch drei',
    power: 'hoch',
    root: 'Wurzel aus',
    cubeRoot: 'dritte Wurzel aus',
    over: 'durch',
    dividedBy: 'geteilt durch',
    plusMinus: 'plus minus',
    less: 'kleiner als',
    greater: 'größer als',
    atMost: 'kleiner gleich',
    atLeast: 'größer gleich',
    unequal: 'ungleich',
    about: 'ungefähr gleich',
    infinity: 'unendlich',
  },
  es: {
    squared: 'al cuadrado',
    cubed: 'al cubo',
    power: 'elevado a',
    root: 'la raíz cuadrada de',
    cubeRoot: 'la raíz cúbica de',
    over: 'sobre',
    dividedBy: 'dividido por',
    plusMinus: 'más menos',
    less: 'es menor que',
    greater: 'es mayor que',
    atMost: 'es menor o igual a',
    atLeast: 'es mayor o igual a',
    unequal: 'es distinto de',
    about: 'es aproximadamente',
    infinity: 'infinito',
  },
  fr: {
    squared: 'au carré',
    cubed: 'au cube',
    power: 'puissance',
    root: 'racine carrée de',
    cubeRoot: 'racine cubique de',
    over: 'sur',
    dividedBy: 'divisé par',
    plusMinus: 'plus ou moins',
    less: 'est inférieur à',
    greater: 'est supérieur à',
    atMost: 'est inférieur ou égal à',
    atLeast: 'est supérieur ou égal à',
    unequal: 'est différent de',
    about: 'est environ égal à',
    infinity: "l'infini",
  },
  it: {
    squared: 'al quadrato',
    cubed: 'al cubo',
    power: 'elevato a',
    root: 'la radice quadrata di',
    cubeRoot: 'la radice cubica di',
    over: 'fratto',
    dividedBy: 'diviso',
    plusMinus: 'più o meno',
    less: 'è minore di',
    greater: 'è maggiore di',
    atMost: 'è minore o uguale a',
    atLeast: 'è maggiore o uguale a',
    unequal: 'è diverso da',
    about: 'è circa',
    infinity: 'infinito',
  },
  pt: {
    squared: 'ao quadrado',
    cubed: 'ao cubo',
    power: 'elevado a',
    root: 'a raiz quadrada de',
    cubeRoot: 'a raiz cúbica de',
    over: 'sobre',
    dividedBy: 'dividido por',
    plusMinus: 'mais ou menos',
    less: 'é menor que',
    greater: 'é maior que',
    atMost: 'é menor ou igual a',
    atLeast: 'é maior ou igual a',
    unequal: 'é diferente de',
    about: 'é cerca de',
    infinity: 'infinito',
  },
};
