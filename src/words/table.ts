import * as v from "valibot";

type Table<Schema extends v.GenericSchema> = v.RecordSchema<v.StringSchema<undefined>, Schema, undefined>;
type NoList = v.CheckAction<unknown, string>;

/** An object whose every value fits `schema`. Valibot's own record takes a JSON list for an object, and an empty one for nothing kept. */
export function tableOf<Schema extends v.GenericSchema>(
  schema: Schema,
): v.SchemaWithPipe<readonly [v.UnknownSchema, NoList, Table<Schema>]> {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), "expected an object, got a list"),
    v.record(v.string(), schema),
  );
}
