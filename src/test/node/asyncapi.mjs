// Parses an AsyncAPI document with the reference parser; exits with 1 and its findings if it has any.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const packages = ["@asyncapi/parser", "@asyncapi/avro-schema-parser"];
const at = process.env.NODE_PATH ?? join(process.cwd(), "node_modules");
const require = createRequire(join(at, "any.js"));
let Parser, AvroSchemaParser;
try {
  ({ Parser } = require(packages[0]));
  ({ AvroSchemaParser } = require(packages[1]));
} catch (e) {
  console.error(`needs ${packages.join(" and ")} in NODE_PATH: npm install ${packages.join(" ")}; ${e.message}`);
  process.exit(2);
}
const parser = new Parser();
parser.registerSchemaParser(AvroSchemaParser());
const { diagnostics } = await parser.parse(readFileSync(process.argv[2], "utf8"));
const faults = diagnostics.filter(({ severity }) => severity === 0);
faults.forEach(({ path, message }) => console.error(`${path.join(".")}: ${message}`));
process.exit(faults.length ? 1 : 0);
