// Decodes lines TOPIC <tab> BASE64 with the client of Confluent's registry for Node, and prints TOPIC, id, segment and number of fields.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const name = "@kafkajs/confluent-schema-registry";
const at = process.env.NODE_PATH ?? join(process.cwd(), "node_modules");
const require = createRequire(join(at, "any.js"));
let client;
try {
  client = require(name);
} catch (e) {
  console.error(`needs ${name} in NODE_PATH: npm install ${name}; ${e.message}`);
  process.exit(2);
}
const registry = new client.SchemaRegistry({ host: process.argv[2] });
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [topic, value] = line.split("\t");
  const record = await registry.decode(Buffer.from(value, "base64"));
  console.log([topic, record.decisionId ?? "", record.place?.segment ?? "", Object.keys(record).length].join("\t"));
}
