/** Its lists of characters have no types of their own: `from to|from to|…`. */
declare module 'opencc-js/dict/*' {
  const pairs: string;
  export default pairs;
}
