/** The data of a definition, as JSON has them, and a path in them → what is there. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Data = { [key: string]: Json };
/** Where something is in the data: `['states', 'look', 'action', 'tool']`, `['steps', 0, 'needs', 1]`. */
export type Path = readonly (string | number)[];

/** Null where there is nothing. */
export function valueAtPath(data: Json, path: Path): Json {
  let value: Json | undefined = data;
  for (const key of path) {
    value = (value as Record<string | number, Json> | undefined)?.[key];
  }
  return value ?? null;
}
