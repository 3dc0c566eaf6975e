"""Reads every topic of a deployment from its beginning to its end, and prints how many records of each type it has.

  python3 consume.py [BROKERS] [DEPLOYMENT] [DIRECTORY OF .avsc FILES] [URL OF A SCHEMA REGISTRY]

Exits with 1 if a value cannot be decoded, unless a dead letter says that the job rejected it. Needs Debian's python3-confluent-kafka and python3-avro.
"""

import io
import json
import pathlib
import sys
import urllib.request
import uuid

import avro.io
import avro.schema
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

HEADER_BYTES = 10
CONFLUENT_BYTES = 5
PRIMITIVES = {"null", "boolean", "int", "long", "float", "double", "bytes", "string"}
EMPTY = 0xC15D213AA4D7A795


def canonical(schema, namespace=None):
    """Avro's parsing canonical form: what decides how bytes are read, and nothing else."""

    def full(name):
        return name if name in PRIMITIVES or "." in name or not namespace else f"{namespace}.{name}"

    if isinstance(schema, str):
        return full(schema)
    if isinstance(schema, list):
        return [canonical(each, namespace) for each in schema]
    namespace = schema.get("namespace", namespace)
    kind = schema["type"]
    if kind == "record":
        fields = [{"name": f["name"], "type": canonical(f["type"], namespace)} for f in schema["fields"]]
        return {"name": full(schema["name"]), "type": kind, "fields": fields}
    if kind == "enum":
        return {"name": full(schema["name"]), "type": kind, "symbols": schema["symbols"]}
    if kind == "fixed":
        return {"name": full(schema["name"]), "type": kind, "size": schema["size"]}
    if kind == "array":
        return {"type": kind, "items": canonical(schema["items"], namespace)}
    if kind == "map":
        return {"type": kind, "values": canonical(schema["values"], namespace)}
    return canonical(kind, namespace)  # a primitive type with a logical type


def header(schema):
    """The bytes C3 01 and the CRC-64-AVRO of the canonical form, in little-endian order."""
    crc = EMPTY
    for byte in json.dumps(canonical(schema), separators=(",", ":"), ensure_ascii=False).encode():
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (EMPTY if crc & 1 else 0)
    return b"\xc3\x01" + crc.to_bytes(8, "little")


def readers(directory):
    """Maps headers to a name and a reader."""
    found = {}
    for file in sorted(pathlib.Path(directory).glob("*.avsc")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        found[header(schema)] = schema["name"], avro.io.DatumReader(avro.schema.parse(json.dumps(schema)))
    return found


def decode(value, known, registry):
    """Returns the type and the record of a value in either format; keeps the schemas of a registry."""
    is_confluent = registry and value[:1] == b"\0"
    head = value[: CONFLUENT_BYTES if is_confluent else HEADER_BYTES]
    if is_confluent and head not in known:
        with urllib.request.urlopen(f"{registry}/schemas/ids/{int.from_bytes(head[1:], 'big')}") as answer:
            schema = json.load(answer)["schema"]
        known[head] = json.loads(schema)["name"], avro.io.DatumReader(avro.schema.parse(schema))
    if head not in known:
        raise ValueError(f"no schema has the header {head.hex()}")
    name, reader = known[head]
    body = io.BytesIO(value[len(head):])
    record = reader.read(avro.io.BinaryDecoder(body))
    if body.read(1):
        raise ValueError(f"{name} ends before its value does")
    return name, record


def main(brokers="localhost:9092", deployment="demo", directory=None, registry=None):
    known = readers(directory or pathlib.Path(__file__).resolve().parents[2] / "avro")
    consumer = Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": f"consume-{uuid.uuid4()}",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
        }
    )
    topics = consumer.list_topics(timeout=30).topics
    no_records = deployment + ".specs"  # its values are YAML texts
    names = sorted(name for name in topics if name.startswith(deployment + ".") and name != no_records)
    if not names:
        sys.exit(f"{brokers} has no topic {deployment}.*; check brokers and deployment")
    waiting = {(name, partition) for name in names for partition in topics[name].partitions}
    consumer.assign([TopicPartition(name, partition, OFFSET_BEGINNING) for name, partition in waiting])
    counts = {name: {} for name in names}
    faults = {}
    rejected = set()
    while waiting:
        message = consumer.poll(30)
        if message is None:
            sys.exit(f"{brokers} sent nothing for 30 s; check that the broker runs")
        if message.error():
            if message.error().code() != KafkaError._PARTITION_EOF:
                sys.exit(str(message.error()))
            waiting.discard((message.topic(), message.partition()))
        elif message.value() is not None:
            try:
                name, record = decode(message.value(), known, registry)
                counts[message.topic()][name] = counts[message.topic()].get(name, 0) + 1
                if name == "DeadLetter":
                    source = record["input"]["source"]
                    rejected.add((source["topic"], source["partition"], source["offset"]))
            except Exception as fault:  # whatever it is, the value cannot be read
                faults[message.topic(), message.partition(), message.offset()] = fault
    consumer.close()
    for place in rejected & faults.keys():
        counts[place[0]]["rejected"] = counts[place[0]].get("rejected", 0) + 1
        del faults[place]
    for (topic, partition, offset), fault in faults.items():
        print(f"{topic}-{partition}@{offset}: {fault}", file=sys.stderr)
    for topic, found in counts.items():
        print(topic, " ".join(f"{name}={count}" for name, count in sorted(found.items())) or "empty")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
