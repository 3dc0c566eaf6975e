// Reads every topic of a deployment from its beginning to its end, and prints how many records of each type it has.
//
//   node consume.mjs [BROKERS] [DEPLOYMENT] [DIRECTORY OF .avsc FILES] [URL OF A SCHEMA REGISTRY]
//
// Exits with 1 if a value cannot be decoded, unless a dead letter says that the job rejected it. Needs kafkajs and avsc: npm ci

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url); // finds libraries under NODE_PATH too
const avro = require('avsc');
const { Kafka, logLevel } = require('kafkajs');

const [brokers = 'localhost:9092', deployment = 'demo', schemas = defaultSchemas(), registry] = process.argv.slice(2);
const HEADER_BYTES = 10;
const CONFLUENT_BYTES = 5;
const NO_RECORDS = `${deployment}.specs`; // its values are YAML texts

function defaultSchemas() {
  return join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'avro');
}

// Avro's parsing canonical form: what decides how bytes are read, and nothing else.
function canonical(schema, namespace) {
  const { name } = schema;
  const full = (text) => (/^(null|boolean|int|long|float|double|bytes|string)$/.test(text) || text.includes('.') || !namespace ? text : `${namespace}.${text}`);
  if (typeof schema === 'string') return JSON.stringify(full(schema));
  if (Array.isArray(schema)) return `[${schema.map((each) => canonical(each, namespace)).join(',')}]`;
  if (schema.namespace) namespace = schema.namespace;
  switch (schema.type) {
    case 'record': {
      const fields = schema.fields.map((f) => `{"name":${JSON.stringify(f.name)},"type":${canonical(f.type, namespace)}}`);
      return `{"name":${JSON.stringify(full(name))},"type":"record","fields":[${fields.join(',')}]}`;
    }
    case 'enum':
      return `{"name":${JSON.stringify(full(name))},"type":"enum","symbols":${JSON.stringify(schema.symbols)}}`;
    case 'fixed':
      return `{"name":${JSON.stringify(full(name))},"type":"fixed","size":${schema.size}}`;
    case 'array':
      return `{"type":"array","items":${canonical(schema.items, namespace)}}`;
    case 'map':
      return `{"type":"map","values":${canonical(schema.values, namespace)}}`;
    default:
      return canonical(schema.type, namespace); // a primitive type with a logical type
  }
}

// CRC-64-AVRO, in little-endian order behind the bytes C3 01.
const EMPTY = 0xc15d213aa4d7a795n;
const TABLE = Array.from({ length: 256 }, (_, i) => {
  let entry = BigInt(i);
  for (let bit = 0; bit < 8; bit++) entry = (entry >> 1n) ^ (entry & 1n ? EMPTY : 0n);
  return entry;
});

function header(schema) {
  let crc = EMPTY;
  for (const byte of Buffer.from(canonical(schema))) crc = (crc >> 8n) ^ TABLE[Number((crc ^ BigInt(byte)) & 0xffn)];
  const bytes = Buffer.from([0xc3, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeBigUInt64LE(crc, 2);
  return bytes.toString('hex');
}

// A JavaScript number has 53 bits; an Avro long has 64.
const long = avro.types.LongType.__with({
  fromBuffer: (buffer) => buffer.readBigInt64LE(),
  toBuffer: (value) => { const buffer = Buffer.alloc(8); buffer.writeBigInt64LE(BigInt(value)); return buffer; },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
  compare: (a, b) => (a === b ? 0 : a < b ? -1 : 1),
});

const types = new Map();
for (const file of readdirSync(schemas).filter((name) => name.endsWith('.avsc'))) {
  const schema = JSON.parse(readFileSync(join(schemas, file), 'utf8'));
  types.set(header(schema), avro.Type.forSchema(schema, { registry: { long } }));
}

// Decodes a value in either format; keeps the schemas of a registry.
async function decode(value) {
  const isConfluent = registry && value[0] === 0;
  const length = isConfluent ? CONFLUENT_BYTES : HEADER_BYTES;
  const head = value.subarray(0, length).toString('hex');
  if (isConfluent && !types.has(head)) {
    const answer = await fetch(`${registry}/schemas/ids/${value.readInt32BE(1)}`);
    if (!answer.ok) throw new Error(`${registry} answers ${answer.status} for the id ${value.readInt32BE(1)}`);
    types.set(head, avro.Type.forSchema(JSON.parse((await answer.json()).schema), { registry: { long } }));
  }
  const type = types.get(head);
  if (!type) throw new Error(`no schema has the header ${head}`);
  return [type.name.split('.').pop(), type.fromBuffer(value.subarray(length))];
}

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
const admin = kafka.admin();
await admin.connect();
const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${deployment}.`) && topic !== NO_RECORDS).sort();
if (topics.length === 0) throw new Error(`${brokers} has no topic ${deployment}.*; check brokers and deployment`);
const open = new Map(); // topic-partition -> end offset
for (const topic of topics) {
  for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
    if (Number(low) < Number(high)) open.set(`${topic}-${partition}`, Number(high));
  }
}

const counts = new Map(topics.map((topic) => [topic, new Map()]));
const faults = new Map();
const rejected = new Set();
function count(topic, what) {
  counts.get(topic).set(what, (counts.get(topic).get(what) ?? 0) + 1);
}

const groupId = `consume-${process.pid}-${Date.now()}`;
const consumer = kafka.consumer({ groupId, readUncommitted: false });
await consumer.connect();
await consumer.subscribe({ topics, fromBeginning: true });
const finished = new Promise((resolve, reject) => {
  if (open.size === 0) resolve();
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, lastOffset } }) => {
    if (Number(lastOffset) + 1 >= open.get(`${topic}-${partition}`)) open.delete(`${topic}-${partition}`);
    if (open.size === 0) resolve();
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    // kafkajs tries again, for example while a coordinator loads; after the first record it would count some twice
    if (!restart || [...counts.values()].some((found) => found.size > 0)) reject(error);
  });
});
await consumer.run({
  eachMessage: async ({ topic, partition, message }) => {
    if (message.value === null) return;
    try {
      const [type, record] = await decode(message.value);
      count(topic, type);
      if (type === 'DeadLetter') {
        const { source } = record.input;
        rejected.add(`${source.topic}-${source.partition}@${source.offset}`);
      }
    } catch (error) {
      faults.set(`${topic}-${partition}@${message.offset}`, { topic, error });
    }
  },
});
await finished;
await consumer.disconnect();
await admin.deleteGroups([groupId]);
await admin.disconnect();

for (const [place, { topic, error }] of [...faults]) {
  if (rejected.has(place)) {
    count(topic, 'rejected');
    faults.delete(place);
  } else {
    console.error(`${place}: ${error.message}`);
  }
}
for (const [topic, found] of counts) {
  console.log(`${topic} ${[...found].map(([type, count]) => `${type}=${count}`).sort().join(' ') || 'empty'}`);
}
process.exit(faults.size === 0 ? 0 : 1);
